package uzu.speculate;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import uzu.backend.Features;
import uzu.backend.Sequence;
import uzu.model.PathNetwork;

/** Paths by the network that came with a block drafter; see {@link PathNetwork}. */
final class NetworkPaths implements Paths {
    private static final BooleanSupplier NEVER = () -> false;

    private final PathNetwork network;
    private final Features last;
    private final Features block;
    private final Sequence sequence;
    private final Sequence besides;
    private final Sequence norms;
    private final BlockRows rows;
    private final BlockRows tokens;
    private final BlockRows states;
    private final int width;

    /** The target's last layer at the last committed token. */
    private final float[] state;

    private final float[] prefix;
    private final float[] query;

    /** Of each depth, the readout's rows of its candidates. */
    private final float[][] readouts;

    private final boolean[] read;
    private final float[] row;
    private float temperature = 1;
    private boolean hasPrefix;
    private int[] rowOf = {};
    private int drafted;

    /**
     * @param last of the target's last layer
     * @param block of the block's rows
     */
    NetworkPaths(PathNetwork network, Features last, Features block) {
        this.network = network;
        this.last = last;
        this.block = block;
        width = network.width();
        sequence = network.prefix().newSequence();
        besides = network.readout().newSequence();
        norms = network.lastNorm().newSequence();
        rows = new BlockRows(sequence);
        tokens = new BlockRows(besides);
        states = new BlockRows(norms);
        state = new float[width];
        prefix = new float[(network.depth() + 1) * width];
        query = new float[width];
        row = new float[width];
        readouts = new float[network.depth()][];
        read = new boolean[network.depth()];
    }

    @Override
    public void committed(int[] committed) {
        if (committed.length > 0) {
            last.copy(committed[committed.length - 1], state, 0);
        }
    }

    @Override
    public void begin(TokenPath path, Conditions conditions) {
        temperature = conditions.temperature() > 0 ? conditions.temperature() : 1;
        hasPrefix = false;
        drafted = 0;
        Arrays.fill(rowOf, -1);
        Arrays.fill(read, false);
    }

    @Override
    public boolean weigh(Draft draft, int node, BlockCandidates candidates, double[] factors) {
        int depth = draft.depth(node);
        if (depth >= network.depth() || candidates.size() == 0) {
            return false;
        }
        if (!hasPrefix) {
            makePrefix();
        }
        int number = run(draft, node);
        if (number < 0) {
            return false;
        }
        network.node().logits(number, query);
        float[] readout = readout(depth, candidates);
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < candidates.size(); i++) {
            double score = 0;
            for (int c = 0; c < width; c++) {
                score += query[c] * readout[i * width + c];
            }
            factors[i] = score / temperature;
            most = Math.max(most, factors[i]);
        }
        for (int i = 0; i < candidates.size(); i++) {
            factors[i] = Math.exp(factors[i] - most);
        }
        return true;
    }

    private void makePrefix() {
        states.state(state);
        network.lastNorm().run(states, NEVER, null);
        network.lastNorm().logits(0, row);
        System.arraycopy(row, 0, prefix, 0, width);
        int count = network.depth() + 1;
        for (int i = 1; i < count; i++) {
            block.copy(i, prefix, i * width);
        }
        sequence.truncate(0);
        rows.context(prefix, count);
        network.prefix().run(rows, NEVER, null);
        int[] path = new int[count];
        Arrays.setAll(path, i -> i);
        sequence.commit(path);
        hasPrefix = true;
    }

    /** Runs the network on a node, and on those above it where nobody asked; its row, or −1 when there is no room. */
    private int run(Draft draft, int node) {
        if (rowOf.length < draft.maxNodes()) {
            int known = rowOf.length;
            rowOf = Arrays.copyOf(rowOf, draft.maxNodes());
            Arrays.fill(rowOf, known, rowOf.length, -1);
        }
        int parent = -1;
        if (node > 0) {
            parent = draft.parent(node);
            parent = rowOf[parent] >= 0 ? rowOf[parent] : run(draft, parent);
            if (parent < 0) {
                return -1;
            }
        }
        if (drafted == network.node().maxRows()) {
            return -1;
        }
        rows.node(drafted, draft.token(node), parent);
        network.node().run(rows, NEVER, null);
        rowOf[node] = drafted++;
        return rowOf[node];
    }

    private float[] readout(int depth, BlockCandidates candidates) {
        float[] known = readouts[depth];
        if (known == null) {
            known = new float[BlockCandidates.MOST * width];
            readouts[depth] = known;
        }
        if (!read[depth]) {
            read[depth] = true;
            int most = network.readout().maxRows();
            for (int from = 0; from < candidates.size(); from += most) {
                int to = Math.min(candidates.size(), from + most);
                tokens.beside(candidates, from, to);
                network.readout().run(tokens, NEVER, null);
                for (int i = from; i < to; i++) {
                    network.readout().logits(i - from, row);
                    System.arraycopy(row, 0, known, i * width, width);
                }
            }
        }
        return known;
    }

    @Override
    public void close() {
        sequence.close();
        besides.close();
        norms.close();
    }
}
