package uzu.speculate;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import uzu.backend.Executable;
import uzu.backend.Features;
import uzu.backend.Sequence;
import uzu.model.FeatureNetwork;

/**
 * A feature network's side of one conversation. Features of committed tokens are collected, and computed when a draft
 * asks, or when there are many. Position 0 of its sequence is the first token of which it saw features: what was
 * computed before it came is no loss but of context.
 */
final class FeatureProposer implements Proposer {
    /** Indices computed together at most, and so the features that wait at most. */
    private static final int MOST_WAITING = 128;

    private static final BooleanSupplier NEVER = () -> false;

    private final FeatureNetwork network;
    private final Features verifiedCarry;
    private final Features draftedCarry;
    private final RunningCost cost;
    private final TopTokens top;
    private final Sequence sequence;
    private final TopTokens.Tokens tokens;
    private final IndexRows rows;

    /** The token index of the sequence's first position. */
    private int base;

    private final int mostWaiting;

    /** Features of indices that are not in the sequence yet. */
    private float[] waiting = {};

    private int[] waitingTokens = new int[16];
    private int waitingCount;

    // Of the last index in the sequence, if it was asked for: what follows the token after it.
    private final float[] rootLogits;
    private final float[] rootCarry;
    private int rootKnown = -1;

    // Of the current draft.
    private Conditions conditions = Conditions.GREEDY;
    private int rootIndex;
    private int[] rowOf = {};
    private float[][] carryOf = {};
    private int drafted;
    private final float[] logits;

    FeatureProposer(FeatureNetwork network, Features verifiedCarry, Features draftedCarry, RunningCost cost) {
        this.network = network;
        this.verifiedCarry = verifiedCarry;
        this.draftedCarry = draftedCarry;
        this.cost = cost;
        top = new TopTokens(network.vocabulary());
        rootLogits = new float[network.vocabulary()];
        rootCarry = new float[network.width()];
        logits = new float[network.vocabulary()];
        tokens = network::token;
        mostWaiting = Math.min(MOST_WAITING, network.verified().maxRows());
        sequence = network.verified().newSequence();
        rows = new IndexRows(sequence);
    }

    /** Indices below this one are in the sequence or wait. */
    private int end() {
        return base + sequence.length() + waitingCount;
    }

    @Override
    public void truncate(int length) {
        // Index length − 1 may have been computed with another next token: a slightly odd key, no more.
        int keep = Math.max(0, length - base);
        waitingCount = Math.clamp(keep - sequence.length(), 0, waitingCount);
        if (sequence.length() > keep) {
            sequence.truncate(keep);
        }
        rootKnown = -1;
    }

    @Override
    public void committed(TokenPath path, int from, int[] committed, Executable target) {
        if (from != end()) {
            sequence.truncate(0);
            waitingCount = 0;
            base = from;
        }
        if (waitingCount > 0) {
            waitingTokens[waitingCount - 1] = path.get(from); // after a truncation it may be another one
        }
        for (int i = 0; i < committed.length; i++) {
            if (waitingCount == mostWaiting) {
                computeKeys();
            }
            reserve(waitingCount + 1);
            network.read(committed[i], waiting, waitingCount * network.featureWidth());
            waitingTokens[waitingCount++] = path.get(from + i + 1);
        }
        rootKnown = -1;
    }

    private void reserve(int count) {
        int width = network.featureWidth();
        if (waiting.length < count * width) {
            waiting = Arrays.copyOf(waiting, Math.min(mostWaiting, Math.max(8, 2 * count)) * width);
        }
        if (waitingTokens.length < count) {
            waitingTokens = Arrays.copyOf(waitingTokens, mostWaiting);
        }
    }

    /** Takes what waits into the sequence, without asking what follows. */
    private void computeKeys() {
        rows.chain(waitingTokens, waitingCount, waiting, false);
        network.keys().run(rows, NEVER, null);
        commitWaiting();
    }

    private void commitWaiting() {
        int[] path = new int[waitingCount];
        Arrays.setAll(path, row -> row);
        sequence.commit(path);
        waitingCount = 0;
    }

    @Override
    public void begin(TokenPath path, Conditions conditions) {
        this.conditions = conditions;
        rootIndex = path.size() - 1;
        drafted = 0;
        Arrays.fill(rowOf, -1);
    }

    @Override
    public void propose(Draft draft, int node, Proposals into) {
        long begun = System.nanoTime();
        if (node == 0) {
            proposeAfterRoot(into);
        } else {
            proposeAfter(draft, node, into);
        }
        cost.took(System.nanoTime() - begun);
    }

    private void proposeAfterRoot(Proposals into) {
        if (end() != rootIndex || rootIndex == base) {
            return; // the target hasn't run on the token before the root since this conversation's drafting began
        }
        if (rootKnown != rootIndex) {
            if (waitingCount == 0) {
                return;
            }
            rows.chain(waitingTokens, waitingCount, waiting, true);
            network.verified().run(rows, NEVER, null);
            int last = waitingCount - 1;
            network.verified().logits(last, rootLogits);
            verifiedCarry.copy(last, rootCarry, 0);
            commitWaiting();
            rootKnown = rootIndex;
        }
        System.arraycopy(rootLogits, 0, logits, 0, logits.length);
        top.propose(logits, network.temperature(), conditions, rootIndex + 1, tokens, into);
    }

    private void proposeAfter(Draft draft, int node, Proposals into) {
        int parent = draft.parent(node);
        boolean known = rootKnown == rootIndex && (parent == 0 || rowOf(parent) >= 0);
        if (!known || drafted == network.drafted().maxRows()) {
            return; // what this would go on from was not asked for
        }
        reserveNodes(draft.maxNodes());
        float[] carry = parent == 0 ? rootCarry : carryOf[parent];
        rows.single(drafted, draft.token(node), parent == 0 ? -1 : rowOf[parent], carry);
        network.drafted().run(rows, NEVER, null);
        rowOf[node] = drafted++;
        if (carryOf[node] == null) {
            carryOf[node] = new float[network.width()];
        }
        draftedCarry.copy(rowOf[node], carryOf[node], 0);
        network.drafted().logits(rowOf[node], logits);
        int position = rootIndex + draft.depth(node) + 1;
        top.propose(logits, network.temperature(), conditions, position, tokens, into);
    }

    private int rowOf(int node) {
        return node < rowOf.length ? rowOf[node] : -1;
    }

    private void reserveNodes(int count) {
        if (rowOf.length < count) {
            int known = rowOf.length;
            rowOf = Arrays.copyOf(rowOf, count);
            Arrays.fill(rowOf, known, count, -1);
            carryOf = Arrays.copyOf(carryOf, count);
        }
    }

    @Override
    public void close() {
        sequence.close();
    }
}
