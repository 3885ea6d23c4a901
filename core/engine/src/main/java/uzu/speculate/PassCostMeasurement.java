package uzu.speculate;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Sequence;

/** Measures what passes of few rows cost on this machine, with trees as drafts make them. */
public final class PassCostMeasurement {
    private static final int[] ROWS = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};

    /** A measurement that takes longer than this stops where it is: passes go on teaching. */
    private static final long PATIENCE_NANOS = 1_500_000_000;

    private static final int ROUNDS = 3;

    private PassCostMeasurement() {}

    public static PassCosts measure(Executable executable) {
        BooleanSupplier never = () -> false;
        int[] rows = Arrays.stream(ROWS).filter(n -> n <= executable.maxRows()).toArray();
        double[] best = new double[rows.length];
        Arrays.fill(best, Double.MAX_VALUE);
        long start = System.nanoTime();
        int measured = 0;
        try (Sequence sequence = executable.newSequence()) {
            executable.run(new Star(sequence, 1), never, null);
            for (int i = 0; i < rows.length && System.nanoTime() - start < PATIENCE_NANOS; i++) {
                for (int round = 0; round < ROUNDS; round++) {
                    long before = System.nanoTime();
                    executable.run(new Star(sequence, rows[i]), never, null);
                    best[i] = Math.min(best[i], (System.nanoTime() - before) / 1e9);
                }
                measured++;
            }
        }
        return new PassCosts(Arrays.copyOf(rows, measured), Arrays.copyOf(best, measured));
    }

    /** A root with children. */
    private record Star(Sequence sequence, int size) implements Batch {
        @Override
        public int token(int row) {
            return row;
        }

        @Override
        public Sequence sequence(int row) {
            return sequence;
        }

        @Override
        public int parent(int row) {
            return row == 0 ? -1 : 0;
        }

        @Override
        public boolean wantsLogits(int row) {
            return true;
        }
    }
}
