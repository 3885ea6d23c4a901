package uzu.speculate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a pass takes, in seconds. Its rows cost what is measured for so many, and each row multiplies the keys and
 * values of its context, which are also read once for a sequence: <i>cost(rows) + reads × c</i>, with {@code reads} the
 * sum of <i>length × (1 + rows)</i> over the pass's sequences. Begins with a shape that CPUs have in common, takes what
 * was measured, and follows the passes that are made.
 */
public final class PassCosts {
    /** Rows beyond which no draft goes. */
    public static final int MOST_ROWS = 64;

    /** Rows whose costs are kept; between them costs are linear. */
    private static final int[] KNOTS = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64};

    /** Costs of the knots before anything was measured, of one row's. */
    private static final double[] SHAPE = {1, 1.05, 1.2, 1.35, 1.6, 1.9, 2.4, 3, 3.5, 4.6, 6.8, 9, 13.5, 18};

    /** Seconds that a read takes before anything was measured, of one row's cost. */
    private static final double READ_SHAPE = 0.05 / 1024;

    // A pass that was just made moves all costs, for the machine is as fast as it is at the moment, and those of its
    // rows once more. Other programs only ever make passes longer, so that down counts more.
    private static final double DOWN = 0.1;
    private static final double UP = 0.04;

    /** No pass says more than that costs are off by this much. */
    private static final double MOST_OFF = 0.5;

    /** Of the first passes, each counts as much as all before it. */
    private static final int FIRST = 8;

    private final double[] seconds = new double[KNOTS.length];

    /** The least that was measured, ever; 0 while nothing was. */
    private final double[] least = new double[KNOTS.length];

    private double read;
    private int passes;
    private int rounds;

    /** Nothing is known yet. */
    public PassCosts() {
        this(0.01);
        passes = 0;
    }

    private PassCosts(double row) {
        for (int i = 0; i < KNOTS.length; i++) {
            seconds[i] = row * SHAPE[i];
        }
        read = row * READ_SHAPE;
        passes = FIRST;
    }

    /**
     * As measured with next to no context.
     *
     * @param rows of the measured passes, rising, from 1 on
     * @param measured their seconds
     */
    public PassCosts(int[] rows, double[] measured) {
        this(measured[0]);
        measured(rows, measured, 1);
    }

    /** @param state of {@link #state()} */
    private PassCosts(double[] state) {
        read = state[KNOTS.length];
        rounds = (int) state[KNOTS.length + 1];
        System.arraycopy(state, 0, seconds, 0, KNOTS.length);
        System.arraycopy(state, 0, least, 0, KNOTS.length);
        passes = FIRST / 2; // the machine may be as busy as it wasn't then
    }

    /**
     * What {@link #of} makes the same costs of: seconds of the knots, of a read, and {@link #rounds}. Of the knots what
     * was measured: what later passes taught may be another program's doing.
     */
    double[] state() {
        boolean isMeasured = least[0] > 0;
        double[] state = Arrays.copyOf(isMeasured ? least : seconds, KNOTS.length + 2);
        state[KNOTS.length] = isMeasured ? read * least[0] / seconds[0] : read;
        state[KNOTS.length + 1] = rounds;
        return state;
    }

    /** How often rows were measured. */
    int rounds() {
        return rounds;
    }

    /** Costs of a state, or null when it is none: costs are finite, positive, and rise. */
    static @Nullable PassCosts of(double[] state) {
        if (state.length != KNOTS.length + 2 || !(state[KNOTS.length + 1] >= 0)) {
            return null;
        }
        double last = 0;
        for (int i = 0; i < KNOTS.length; i++) {
            if (!(state[i] > 0) || state[i] < last || Double.isInfinite(state[i])) {
                return null;
            }
            last = state[i];
        }
        return state[KNOTS.length] >= 0 && state[KNOTS.length] <= last ? new PassCosts(state) : null;
    }

    /** Of a pass with {@code rows} rows whose logits are wanted, next to no context before them. */
    public double seconds(int rows) {
        return seconds(rows, 0);
    }

    /**
     * Of a pass with {@code rows} rows whose logits are wanted.
     *
     * @param reads the sum of length × (1 + rows) over its sequences
     */
    public double seconds(int rows, double reads) {
        return ofRows(rows) + reads * read;
    }

    private double ofRows(int rows) {
        int last = KNOTS.length - 1;
        if (rows >= KNOTS[last]) {
            return seconds[last] * rows / KNOTS[last];
        }
        int above = above(rows);
        if (KNOTS[above] == rows) {
            return seconds[above];
        }
        double part = (double) (rows - KNOTS[above - 1]) / (KNOTS[above] - KNOTS[above - 1]);
        return seconds[above - 1] + part * (seconds[above] - seconds[above - 1]);
    }

    private static int above(int rows) {
        int above = 0;
        while (KNOTS[above] < rows) {
            above++;
        }
        return above;
    }

    /** A pass with {@code rows} rows whose logits were wanted was made. */
    public void passed(int rows, double reads, double took) {
        if (rows < 1 || rows > MOST_ROWS || !(took > 0)) {
            return;
        }
        double expected = seconds(rows, reads);
        if (passes < FIRST) {
            // Only the machine's speed is wrong by any factor; the first passes also read weights from the disk.
            double off = took / expected;
            scale(passes == 0 || off < 1 ? off : 1 + (off - 1) / (2 * passes));
            passes++;
            return;
        }
        double off = Math.clamp(took / expected - 1, -MOST_OFF, MOST_OFF);
        double change = off * (off < 0 ? DOWN : UP);
        double ofReads = reads * read / expected;
        scale(1 + change);
        read *= 1 + change * ofReads;
        int above = above(rows);
        int below = KNOTS[above] == rows ? above : above - 1;
        bend(above, change * (1 - ofReads));
        if (below != above) {
            bend(below, change * (1 - ofReads));
        }
    }

    /**
     * Passes were made to measure what they take. What other programs did meanwhile only made them longer, so that of
     * all measurements the least counts.
     *
     * @param rows of the passes, rising, from 1 on
     * @param took the shortest pass of each
     * @param times how often all were made
     */
    void measured(int[] rows, double[] took, int times) {
        scale(took[0] / seconds[0]);
        int next = 0;
        for (int i = 0; i < KNOTS.length; i++) {
            while (next < rows.length - 1 && rows[next] < KNOTS[i]) {
                next++;
            }
            if (KNOTS[i] >= rows[next]) {
                // Beyond the last: as before it, by the shape.
                seconds[i] = took[next] * SHAPE[i] / SHAPE[Math.min(i, above(rows[next]))];
            } else {
                double part = (double) (KNOTS[i] - rows[next - 1]) / (rows[next] - rows[next - 1]);
                seconds[i] = took[next - 1] + part * (took[next] - took[next - 1]);
            }
        }
        for (int i = KNOTS.length - 1; i >= 0; i--) {
            // More rows never cost less.
            double most = i + 1 < KNOTS.length ? least[i + 1] : Double.MAX_VALUE;
            least[i] = Math.min(most, least[i] > 0 ? Math.min(least[i], seconds[i]) : seconds[i]);
        }
        double speed = took[0] / least[0];
        for (int i = 0; i < KNOTS.length; i++) {
            seconds[i] = speed * least[i];
        }
        rounds += times;
        passes = FIRST;
    }

    /** A pass with {@code reads} was made to measure what these take. */
    void measuredReads(int rows, double reads, double took) {
        read = Math.max(0, (took - ofRows(rows)) / reads);
    }

    private void scale(double factor) {
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] *= factor;
        }
        read *= factor;
    }

    private void bend(int knot, double change) {
        seconds[knot] *= 1 + change;
        rise(knot);
    }

    /** More rows never cost less: {@code knot} is right. */
    private void rise(int knot) {
        for (int i = knot + 1; i < seconds.length; i++) {
            seconds[i] = Math.max(seconds[i], seconds[i - 1]);
        }
        for (int i = knot - 1; i >= 0; i--) {
            seconds[i] = Math.min(seconds[i], seconds[i + 1]);
        }
    }
}
