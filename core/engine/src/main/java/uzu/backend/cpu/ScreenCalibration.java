package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uzu.backend.Batch;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/**
 * Makes the screen of an executable's readout, a moment at a time: a pass over tokens from all over the vocabulary says
 * how large the readout's inputs are in each column, and then its units are fitted.
 */
final class ScreenCalibration {
    private static final int ROWS = 16;
    /** Groups of weights to fit at once, which takes some ten milliseconds. */
    private static final int GROUPS_AT_ONCE = 4096;

    private static final int PARTS_A_WORKER = 4;

    private final CpuExecutable executable;
    private final ScreenedReadout readout;
    private final Memory memory;
    private final Team team;
    private @Nullable ScreenFitter fitter;
    private int fitted;

    ScreenCalibration(CpuExecutable executable, ScreenedReadout readout, Memory memory, Team team) {
        this.executable = executable;
        this.readout = readout;
        this.memory = memory;
        this.team = team;
    }

    /**
     * @param vocabulary tokens that a pass takes
     * @param cancelled once true the moment is over
     * @return whether there is more to do
     */
    boolean step(int vocabulary, int workers, BooleanSupplier cancelled) {
        PackedMatrix exact = readout.matrix();
        if (exact == null || readout.hasScreen() || executable.maxRows() < ROWS) {
            return false;
        }
        ScreenFitter current = fitter;
        if (current == null) {
            if (runs(vocabulary, cancelled)) {
                fitter = new ScreenFitter(exact, readout.inputSizes(ROWS), memory);
            }
            return true;
        }
        int from = fitted;
        int groups = exact.columns() / GROUP;
        int to = Math.min(exact.units(), from + Math.max(1, GROUPS_AT_ONCE / groups));
        team.run(workers, new Fitting(current, from, to, Math.min(to - from, PARTS_A_WORKER * workers)));
        fitted = to;
        if (to == exact.units()) {
            readout.use(current.screen());
        }
        return to < exact.units();
    }

    private boolean runs(int vocabulary, BooleanSupplier cancelled) {
        try (Sequence sequence = executable.newSequence()) {
            return executable.run(new Sample(sequence, vocabulary, ROWS), cancelled, null);
        }
    }

    /** A chain of tokens at equal distances. */
    private record Sample(Sequence sequence, int vocabulary, int size) implements Batch {
        @Override
        public int token(int row) {
            return (int) ((long) vocabulary * row / size);
        }

        @Override
        public Sequence sequence(int row) {
            return sequence;
        }

        @Override
        public int parent(int row) {
            return row - 1;
        }

        @Override
        public Wanted wanted(int row) {
            return Wanted.BEST;
        }
    }

    private record Fitting(ScreenFitter fitter, int from, int to, int parts) implements Team.Job {
        @Override
        public int steps() {
            return 1;
        }

        @Override
        public int parts(int step) {
            return parts;
        }

        @Override
        public void run(int step, int part, int worker) {
            fitter.fit(from + Phase.share(to - from, part, parts), from + Phase.share(to - from, part + 1, parts));
        }
    }
}
