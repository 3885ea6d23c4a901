package uzu.speculate;

import java.util.List;
import uzu.backend.Features;
import uzu.backend.Sequence;
import uzu.model.FeatureNetwork;

/** Guesses by a small network that reads what the target computed; see {@link FeatureNetwork}. */
public final class FeatureDrafter implements Drafter {
    /** The first passes of a fresh JVM are slow, and seconds that are too long keep a drafter from being asked. */
    private static final int TRIALS = 40;

    private static final long MOST_NANOS = 60_000_000;

    private final FeatureNetwork network;
    private final Features verifiedCarry;
    private final Features draftedCarry;
    private final RunningCost cost = new RunningCost();

    /** @param network closed with the drafter */
    public FeatureDrafter(FeatureNetwork network) {
        this.network = network;
        verifiedCarry = network.verified().features(List.of(FeatureNetwork.CARRY));
        draftedCarry = network.drafted().features(List.of(FeatureNetwork.CARRY));
        measure();
    }

    /** What a proposal takes, before there were any. */
    private void measure() {
        try (Sequence sequence = network.verified().newSequence()) {
            IndexRows rows = new IndexRows(sequence);
            float[] inputs = new float[network.featureWidth()];
            long least = Long.MAX_VALUE;
            long started = System.nanoTime();
            for (int i = 0; i < TRIALS && System.nanoTime() - started < MOST_NANOS; i++) {
                long begun = System.nanoTime();
                rows.chain(new int[1], 1, inputs, true);
                network.verified().run(rows, () -> false, null);
                least = Math.min(least, System.nanoTime() - begun);
            }
            cost.took(least);
        }
    }

    @Override
    public String name() {
        return "network";
    }

    @Override
    public Proposer proposer() {
        return new FeatureProposer(network, verifiedCarry, draftedCarry, cost);
    }

    @Override
    public double seconds() {
        return cost.seconds();
    }

    @Override
    public void close() {
        network.close();
    }
}
