package uzu.speculate;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/**
 * Measures what passes of few rows cost on this machine, with trees as drafts make them, a pass at a time, so that it
 * fits between replies. Of each size the shortest pass counts.
 */
public final class PassCostMeasurement {
    private static final int[] ROWS = {1, 2, 3, 4, 5, 6, 8, 12, 16, 32};

    /** Of a round, the passes with up to so many rows are made twice: drafts mostly have as many. */
    private static final int MOST_TWICE = 8;

    private static final int ROUNDS = 4;

    /** A machine that was busy all the time isn't in so many rounds, of several engines one after the other. */
    private static final int MOST_ROUNDS = 12;

    /** After a whole round no other begins once this long was measured. */
    private static final long PATIENCE_NANOS = 1_500_000_000;

    /** A conversation shorter than this says little of what keys and values cost. */
    private static final int LEAST_CONTEXT = 512;

    private static final int READING_ROWS = 4;

    private final Executable executable;
    private final LongSupplier clock;
    private final int[] rows;
    /** Of a round, the sizes of passes by their index in {@link #rows}. */
    private final int[] round;

    private final double[] best;
    private @Nullable Sequence sequence;
    private int done;
    private long spent;
    private boolean rowsKnown;
    private boolean readsKnown;

    /**
     * @param clock nanoseconds
     * @param costs what is known
     */
    public PassCostMeasurement(Executable executable, LongSupplier clock, PassCosts costs) {
        this.executable = executable;
        this.clock = clock;
        this.rowsKnown = costs.rounds() >= MOST_ROUNDS;
        this.rows = Arrays.stream(ROWS).filter(n -> n <= executable.maxRows()).toArray();
        int few = (int) Arrays.stream(rows).filter(n -> n <= MOST_TWICE).count();
        this.round = IntStream.concat(IntStream.range(0, few), IntStream.range(0, rows.length))
                .toArray();
        this.best = new double[rows.length];
        Arrays.fill(best, Double.MAX_VALUE);
    }

    /** Whether rows were measured, now or often enough before. */
    public boolean isRowsKnown() {
        return rowsKnown;
    }

    /**
     * Whether there is something to measure.
     *
     * @param conversation some sequence with a past, or null
     */
    public boolean isWanted(@Nullable Sequence conversation) {
        return !rowsKnown || isReadsWanted(conversation);
    }

    private boolean isReadsWanted(@Nullable Sequence conversation) {
        return rowsKnown
                && !readsKnown
                && conversation != null
                && conversation.length() >= LEAST_CONTEXT
                && executable.maxRows() >= READING_ROWS;
    }

    /**
     * Makes the next pass.
     *
     * @param cancelled the pass is given up as soon as this says so
     * @param into takes what is known after it
     */
    public void step(PassCosts into, @Nullable Sequence conversation, BooleanSupplier cancelled) {
        if (rowsKnown) {
            if (conversation != null && isReadsWanted(conversation)) {
                measureReads(into, conversation, cancelled);
            }
            return;
        }
        if (sequence == null) {
            sequence = executable.newSequence();
        }
        int size = round[done % round.length];
        double took = seconds(new Star(sequence, rows[size]), cancelled);
        if (took < 0) {
            return;
        }
        best[size] = Math.min(best[size], took);
        done++;
        boolean roundEnds = done % round.length == 0;
        if (roundEnds && (done == ROUNDS * round.length || spent > PATIENCE_NANOS)) {
            into.measured(rows, best, done / round.length);
            rowsKnown = true;
            close();
        }
    }

    /** Frees what it needed; {@link #step} may go on. */
    public void close() {
        if (sequence != null) {
            sequence.close();
            sequence = null;
        }
    }

    private void measureReads(PassCosts into, Sequence conversation, BooleanSupplier cancelled) {
        double shortest = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            double took = seconds(new Star(conversation, READING_ROWS), cancelled);
            if (took < 0) {
                return;
            }
            shortest = Math.min(shortest, took);
        }
        into.measuredReads(READING_ROWS, conversation.length() * (1.0 + READING_ROWS), shortest);
        readsKnown = true;
    }

    /** −1 when the pass was given up. */
    private double seconds(Star star, BooleanSupplier cancelled) {
        long begun = clock.getAsLong();
        boolean ran = executable.run(star, cancelled, null);
        long nanos = clock.getAsLong() - begun;
        spent += nanos;
        return ran ? nanos / 1e9 : -1;
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
        public Wanted wanted(int row) {
            return Wanted.LOGITS;
        }
    }
}
