package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.LANES;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.backend.cpu.Scratch.Slot;

/**
 * The last product of a program, for rows that only want their likeliest token: a {@link Screen} tells for nearly all
 * tokens that they can't be it, and only units of outputs that have another one are multiplied exactly. How much the
 * screen leaves over changes the time, never the token. Of a draft's rows, where most is left over as few texts go on so,
 * only those are settled whose token turned out to be the likeliest above them; others when they are asked for.
 */
final class ScreenedReadout {
    /** A block of inputs. With more rows products wait for multiply-adds, of which a screen saves none. */
    static final int MOST_ROWS = PreparedInput.ROWS;

    /** What fewer take is no more than what workers take to wait for each other once more. */
    private static final int LEAST_UNITS = 256;

    private static final int SETTLED_PARTS_A_WORKER = 2;
    /** Where so much is left over, on average of some passes, reading the screen doesn't pay. */
    private static final double MOST_LEFT = 0.2;

    private static final int REST_PASSES = 256;
    private static final int MEMORY_PASSES = 16;

    private final MatrixKernels kernels;
    private final LogitScan scan;
    private final Memory memory;
    private final int parts;
    private Phase.@Nullable Multiply planned;
    private @Nullable Slot inputs;
    private @Nullable Screen screen;
    private long contenders;
    private double left;
    private int rest;

    // Of the pass that runs, or of the last one, whose results outlast the plan that it ran on.
    private Phase.@Nullable Multiply multiply;
    private boolean screens;
    private int rows;
    private int choices;
    private int approximated;
    private int settled;
    private @Nullable Pass pass;
    // Rows that each depth's phase settles, the depths that know theirs, and rows that nobody has settled yet.
    private final BitSet[] of = new BitSet[MOST_ROWS];
    private int depths;
    private final BitSet later = new BitSet(MOST_ROWS);
    private final BitSet asked = new BitSet(MOST_ROWS);
    private final float[] reach = new float[MOST_ROWS];
    private final float[] least;
    private final float[] most;
    private final int[] token;
    private final int[] multiplied;

    ScreenedReadout(MatrixKernels kernels, LogitScan scan, Memory memory, int workers) {
        this.kernels = kernels;
        this.scan = scan;
        this.memory = memory;
        parts = Math.max(Phase.Multiply.mostParts(workers), SETTLED_PARTS_A_WORKER * workers);
        least = new float[parts * MOST_ROWS];
        most = new float[parts * MOST_ROWS];
        token = new int[parts * MOST_ROWS];
        multiplied = new int[parts];
        Arrays.setAll(of, depth -> new BitSet(MOST_ROWS));
    }

    /**
     * Whether {@code product} could be screened, which would pay: its groups take 1.7 times the bytes of the screen's.
     * Those of Q6_K take 1.3 times.
     */
    static boolean suits(Phase.Product product) {
        PackedMatrix matrix = product.matrix();
        return matrix.layout() == MatrixLayout.Q8_0
                && !matrix.floats()
                && product.bias() == null
                && !product.add()
                && matrix.units() >= LEAST_UNITS;
    }

    /** From now on {@code product} is the one, of what many rows have in {@code in}; the phases that take its place. */
    List<Phase> phases(Phase.Multiply product, Slot in) {
        planned = product;
        inputs = in;
        List<Phase> phases = new ArrayList<>(List.of(new Whole(this, product), new Approximate(this)));
        for (int depth = 0; depth < MOST_ROWS; depth++) {
            phases.add(new Settle(this, depth));
        }
        return phases;
    }

    /** Root mean squares of the columns of the inputs of the last pass, which had {@code count} rows, more than few. */
    double[] inputSizes(int count) {
        Slot from = there(inputs);
        double[] sizes = new double[there(matrix()).columns()];
        for (int row = 0; row < count; row++) {
            for (int k = 0; k < sizes.length; k++) {
                double x = Memory.RAW.getFloat(from.row(row, sizes.length) + 4L * k);
                sizes[k] += x * x / count;
            }
        }
        return Arrays.stream(sizes).map(Math::sqrt).toArray();
    }

    /** What could be screened; null for nothing. */
    @Nullable PackedMatrix matrix() {
        return planned == null ? null : planned.products().getFirst().matrix();
    }

    boolean hasScreen() {
        return screen != null;
    }

    void use(Screen fitted) {
        contenders = memory.allocate(4L * fitted.matrix().units(), "the screen of the readout");
        screen = fitted;
    }

    /** Decides whether this pass is screened. */
    void begin(Pass pass, boolean allowed) {
        rows = pass.headRows();
        multiply = planned;
        screens = screen != null && allowed && pass.wantsOnlyBest() && rows > 0 && rows <= MOST_ROWS;
        if (screens && rest > 0) {
            rest--;
            screens = false;
        }
        of[0].clear();
        later.clear();
        depths = 1;
        if (screens) {
            this.pass = pass;
            for (int row = 0; row < rows; row++) {
                (pass.wantedAbove(row) >= 0 ? later : of[0]).set(row);
            }
            int most = pass.workers() == 1 ? 1 : SETTLED_PARTS_A_WORKER * pass.workers();
            settled = Math.min(multiply().units(), most);
            choices = Math.min(pass.choices(), there(matrix()).rows());
            Arrays.fill(multiplied, 0);
        }
    }

    /** A pass ran to its end. */
    void ended() {
        if (!screens) {
            return;
        }
        int units = 0;
        for (int part = 0; part < settled; part++) {
            units += multiplied[part];
        }
        left += ((double) units / multiply().units() - left) / MEMORY_PASSES;
        if (left > MOST_LEFT) {
            left = 0;
            rest = REST_PASSES;
        }
    }

    /** Whether the last pass was screened, so that {@link #best} knows its tokens. */
    boolean isScreened() {
        return screens;
    }

    /** The likeliest token of row {@code row} of the head; −1 if a logit isn't a number, or the largest is infinite. */
    int best(int row) {
        if (later.get(row)) {
            later.clear(row);
            asked.clear();
            asked.set(row);
            for (int part = 0; part < settled; part++) {
                most[part * MOST_ROWS + row] = Float.NEGATIVE_INFINITY;
            }
            settle(there(pass), 0, 0, 0, multiply().units(), asked);
        }
        return found(row);
    }

    private int found(int row) {
        float largest = Float.NEGATIVE_INFINITY;
        int best = -1;
        for (int part = 0; part < settled; part++) {
            float value = most[part * MOST_ROWS + row];
            if (Float.isNaN(value)) {
                return -1;
            }
            if (value > largest) {
                largest = value;
                best = token[part * MOST_ROWS + row];
            }
        }
        return Float.isInfinite(largest) ? -1 : best;
    }

    /** The product as it is, where a pass isn't screened. */
    record Whole(ScreenedReadout readout, Phase.Multiply multiply) implements Phase {
        @Override
        public int parts(Pass pass, int workers) {
            return readout.screens ? 0 : multiply.parts(pass, workers);
        }

        @Override
        public void run(Pass pass, int part, int parts, int worker) {
            multiply.run(pass, part, parts, worker);
        }
    }

    /** The screen's logits, and in each part the exact ones beside the largest of them: a token to be beaten. */
    record Approximate(ScreenedReadout readout) implements Phase {
        @Override
        public int parts(Pass pass, int workers) {
            readout.approximated = readout.screens ? readout.multiply().parts(pass, workers) : 0;
            return readout.approximated;
        }

        @Override
        public void run(Pass pass, int part, int parts, int worker) {
            int units = readout.multiply().units();
            int from = Phase.taperedShare(units, part, parts, pass.workers());
            int to = Phase.taperedShare(units, part + 1, parts, pass.workers());
            readout.approximate(pass, worker, part, from, to);
        }
    }

    /**
     * Multiplies what the screen left over, and finds the likeliest tokens: at first of rows that surely are asked for,
     * then of those below them with these tokens.
     */
    record Settle(ScreenedReadout readout, int depth) implements Phase {
        @Override
        public int parts(Pass pass, int workers) {
            if (!readout.screens) {
                return 0;
            }
            // Asked at first by one worker, before others see the phase.
            if (depth == readout.depths) {
                readout.follow(pass);
            }
            return readout.of[depth].isEmpty() ? 0 : readout.settled;
        }

        @Override
        public void run(Pass pass, int part, int parts, int worker) {
            int units = readout.multiply().units();
            int from = Phase.share(units, part, parts);
            readout.settle(pass, worker, part, from, Phase.share(units, part + 1, parts), readout.of[depth]);
        }
    }

    private Phase.Multiply multiply() {
        return there(multiply);
    }

    private static <T> T there(@Nullable T made) {
        if (made == null) {
            throw new IllegalStateException("no readout is screened");
        }
        return made;
    }

    private void approximate(Pass pass, int worker, int part, int from, int to) {
        Screen screening = there(screen);
        Phase.Multiply whole = multiply();
        Phase.Product exact = whole.products().getFirst();
        long prepared = exact.inputs(whole.own(), pass, worker);
        long out = exact.out().address;
        int width = exact.matrix().rows();
        kernels.multiply(screening.matrix(), from, to, prepared, rows, out, width, 0, false);
        for (int row = 0; row < rows && part == 0; row++) {
            reach[row] = screening.reach(prepared, row);
        }
        int slot = part * MOST_ROWS;
        Arrays.fill(least, slot, slot + rows, Float.NEGATIVE_INFINITY);
        int first = from * LANES;
        int count = Math.min(to * LANES, choices) - first;
        for (int row = 0; row < rows && count > 0; row++) {
            int likeliest = scan.largest(out + 4L * ((long) row * width + first), count);
            if (likeliest < 0) {
                least[slot + row] = Float.NaN;
                continue;
            }
            int unit = from + likeliest / LANES;
            exact.run(kernels, whole.own(), pass, worker, unit, unit + 1, rows);
            int end = Math.min((unit + 1) * LANES, choices);
            for (int other = 0; other < rows; other++) {
                for (int output = unit * LANES; output < end; output++) {
                    float logit = Memory.RAW.getFloat(out + 4L * ((long) other * width + output));
                    least[slot + other] = Math.max(least[slot + other], logit);
                }
            }
        }
    }

    /** Finds the rows of another depth. */
    private void follow(Pass pass) {
        BitSet above = of[depths - 1];
        BitSet below = of[depths++];
        below.clear();
        for (int row = later.nextSetBit(0); row >= 0; row = later.nextSetBit(row + 1)) {
            int parent = pass.wantedAbove(row);
            if (above.get(parent) && found(parent) == pass.token[pass.wanted(row)]) {
                below.set(row);
            }
        }
        later.andNot(below);
    }

    private void settle(Pass pass, int worker, int part, int from, int to, BitSet which) {
        Screen screening = there(screen);
        Phase.Multiply whole = multiply();
        Phase.Product exact = whole.products().getFirst();
        long out = exact.out().address;
        int width = exact.matrix().rows();
        int first = from * LANES;
        int count = Math.min(to * LANES, choices) - first;
        int slot = part * MOST_ROWS;
        for (int row = which.nextSetBit(0); row >= 0; row = which.nextSetBit(row + 1)) {
            most[slot + row] = Float.NEGATIVE_INFINITY;
        }
        if (count <= 0) {
            return;
        }
        for (int row = which.nextSetBit(0); row >= 0; row = which.nextSetBit(row + 1)) {
            float beaten = Float.NEGATIVE_INFINITY;
            for (int other = 0; other < approximated; other++) {
                beaten = Math.max(beaten, least[other * MOST_ROWS + row]);
            }
            long logits = out + 4L * ((long) row * width + first);
            scan.contenders(logits, screening.radii() + 4L * first, count, reach[row], beaten, contenders + 4L * from);
        }
        for (int unit = from; unit < to; unit++) {
            int end = unit;
            while (end < to && Memory.RAW.getInt(contenders + 4L * end) != 0) {
                Memory.RAW.putInt(contenders + 4L * end, 0);
                end++;
            }
            if (end > unit) {
                exact.run(kernels, whole.own(), pass, worker, unit, end, rows);
                // Rows further down are settled in easy texts, which say nothing of the screen.
                multiplied[part] += which == of[0] ? end - unit : 0;
                find(out, width, slot, unit * LANES, Math.min(end * LANES, choices), which);
                unit = end;
            }
        }
    }

    private void find(long out, int width, int slot, int first, int end, BitSet which) {
        for (int row = which.nextSetBit(0); row >= 0; row = which.nextSetBit(row + 1)) {
            long logits = out + 4L * ((long) row * width + first);
            int best = scan.largest(logits, end - first);
            float value = best < 0 ? Float.NaN : Memory.RAW.getFloat(logits + 4L * best);
            // A NaN stays, as nothing is larger.
            if (Float.isNaN(value) || value > most[slot + row]) {
                most[slot + row] = value;
                token[slot + row] = first + best;
            }
        }
    }
}
