package uzu.speculate;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import uzu.backend.Executable;
import uzu.backend.Features;
import uzu.backend.Sequence;
import uzu.model.BlockNetwork;

/**
 * A block drafter's side of one conversation. Features of committed tokens wait until a block is asked for, or there are
 * many. Position 0 of its sequence is the first token of which it saw features.
 */
final class BlockProposer implements Proposer {
    /** Tokens computed together at most, and so the features that wait at most. */
    private static final int MOST_WAITING = 128;

    private static final BooleanSupplier NEVER = () -> false;

    private final BlockNetwork network;
    private final Features features;
    private final BlockDrafter drafter;
    private final Paths paths;
    private final Sequence sequence;
    private final BlockRows rows;
    private final int mostWaiting;

    /** The token index of the sequence's first position. */
    private int base;

    private float[] waiting = {};
    private int waitingCount;

    // Of the current draft.
    private Conditions conditions = Conditions.GREEDY;
    private int rootIndex;

    /** After which token the last block was made, −1 when the context has changed since. */
    private int blockRoot = -1;

    private int blockIndex;
    private final BlockCandidates[] candidates;
    private final boolean[] known;
    private final double[] factors = new double[BlockCandidates.MOST];

    BlockProposer(BlockNetwork network, Features features, BlockDrafter drafter, Paths paths) {
        this.network = network;
        this.features = features;
        this.drafter = drafter;
        this.paths = paths;
        sequence = network.context().newSequence();
        rows = new BlockRows(sequence);
        mostWaiting = Math.min(MOST_WAITING, network.context().maxRows());
        candidates = new BlockCandidates[network.blockSize() - 1];
        Arrays.setAll(candidates, i -> new BlockCandidates());
        known = new boolean[candidates.length];
    }

    /** Tokens below this index are in the sequence or wait. */
    private int end() {
        return base + sequence.length() + waitingCount;
    }

    @Override
    public void truncate(int length) {
        blockRoot = -1;
        int keep = Math.max(0, length - base);
        waitingCount = Math.clamp(keep - sequence.length(), 0, waitingCount);
        if (sequence.length() > keep) {
            sequence.truncate(keep);
        }
        paths.truncate(length);
    }

    @Override
    public void committed(TokenPath path, int from, int[] committed, Executable target) {
        blockRoot = -1;
        if (from != end()) {
            sequence.truncate(0);
            waitingCount = 0;
            base = from;
        }
        for (int row : committed) {
            if (waitingCount == mostWaiting) {
                takeWaiting();
            }
            reserve(waitingCount + 1);
            features.copy(row, waiting, waitingCount * features.width());
            waitingCount++;
        }
        paths.committed(committed);
    }

    private void reserve(int count) {
        int width = features.width();
        if (waiting.length < count * width) {
            waiting = Arrays.copyOf(waiting, Math.min(mostWaiting, Math.max(8, 2 * count)) * width);
        }
    }

    /** Keys and values of what waits join the sequence. */
    private void takeWaiting() {
        if (waitingCount > 0) {
            rows.context(waiting, waitingCount);
            network.context().run(rows, NEVER, null);
            int[] path = new int[waitingCount];
            Arrays.setAll(path, row -> row);
            sequence.commit(path);
            waitingCount = 0;
        }
    }

    @Override
    public void begin(TokenPath path, Conditions conditions) {
        this.conditions = conditions;
        rootIndex = path.size() - 1;
        Arrays.fill(known, false);
        paths.begin(path, conditions);
    }

    @Override
    public void propose(Draft draft, int node, Proposals into) {
        int depth = draft.depth(node);
        if (depth >= candidates.length || !hasBlock(draft.token(0)) && !makeBlock(draft.token(0))) {
            return;
        }
        int position = rootIndex + depth + 1;
        BlockCandidates of = candidates[depth];
        if (!known[depth]) {
            known[depth] = true;
            of.read(network.block().logits(depth + 1), network.vocabulary(), conditions, position);
        }
        if (paths.weigh(draft, node, of, factors)) {
            of.propose(factors, conditions, position, into);
        } else {
            of.propose(into);
        }
    }

    /** A draft that begins anew finds its block. */
    private boolean hasBlock(int root) {
        return blockRoot == root && blockIndex == rootIndex && drafter.wasLatest(this);
    }

    private boolean makeBlock(int last) {
        if (end() != rootIndex || rootIndex == base) {
            return false; // the target hasn't run on the token before the root since the drafting began
        }
        takeWaiting();
        rows.block(last, network.maskToken(), network.blockSize());
        network.block().run(rows, NEVER, null);
        drafter.made(this);
        blockRoot = last;
        blockIndex = rootIndex;
        return true;
    }

    @Override
    public void close() {
        paths.close();
        sequence.close();
    }
}
