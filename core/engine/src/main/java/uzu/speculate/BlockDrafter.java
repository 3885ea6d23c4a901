package uzu.speculate;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.backend.Executable;
import uzu.backend.Features;
import uzu.backend.Sequence;
import uzu.model.BlockNetwork;
import uzu.model.PathNetwork;

/**
 * Guesses a whole block by one pass of a small network that reads what the target computed ({@link BlockNetwork}). Its
 * marginal distributions don't know which tokens a path has: the network that came with it re-ranks them with that, or
 * else tables, where there are any.
 */
public final class BlockDrafter implements Drafter {
    private static final int TRIALS = 3;

    private final BlockNetwork network;
    private final Executable target;
    private final @Nullable Drafter tables;
    private final double seconds;
    private @Nullable Features features;
    private @Nullable Features lastLayer;
    private @Nullable Features hidden;
    /** Whose block was made last: its results can still be read. */
    private @Nullable BlockProposer latest;

    /**
     * @param network closed with the drafter
     * @param target whose features it reads
     * @param tables tells what follows a path where the network can't; null: the block alone
     */
    public BlockDrafter(BlockNetwork network, Executable target, @Nullable Drafter tables) {
        this.network = network;
        this.target = target;
        this.tables = tables;
        seconds = measured();
    }

    /** What a block takes, before a context. */
    private double measured() {
        try (Sequence sequence = network.context().newSequence()) {
            BlockRows rows = new BlockRows(sequence);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < TRIALS; i++) {
                long begun = System.nanoTime();
                rows.block(network.maskToken(), network.maskToken(), network.blockSize());
                network.block().run(rows, () -> false, null);
                least = Math.min(least, System.nanoTime() - begun);
            }
            return least / 1e9;
        }
    }

    @Override
    public String name() {
        return "block";
    }

    @Override
    public Proposer proposer() {
        Features known = features;
        if (known == null) {
            known = target.features(network.taps());
            features = known;
        }
        return new BlockProposer(network, known, this, paths());
    }

    private Paths paths() {
        PathNetwork scorer = network.paths();
        if (scorer != null && scorer.depth() < network.blockSize()) {
            Features last = lastLayer;
            Features block = hidden;
            if (last == null || block == null) {
                last = target.features(List.of(network.lastTap()));
                block = network.hidden();
                lastLayer = last;
                hidden = block;
            }
            return new NetworkPaths(scorer, last, block);
        }
        return tables == null ? Paths.NONE : new TablePaths(tables.proposer());
    }

    @Override
    public double seconds() {
        return seconds;
    }

    void made(BlockProposer by) {
        latest = by;
    }

    boolean wasLatest(BlockProposer by) {
        return latest == by;
    }

    @Override
    public void close() {
        for (Features open : Arrays.asList(features, lastLayer, hidden)) {
            if (open != null) {
                open.close();
            }
        }
        network.close();
    }
}
