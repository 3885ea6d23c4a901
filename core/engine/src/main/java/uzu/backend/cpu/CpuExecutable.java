package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.ArrayLogits;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Features;
import uzu.backend.Logits;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.Sequence;
import uzu.backend.Weight;

/** Runs a program's phases on the worker team. Closing waits for the pass that runs. */
final class CpuExecutable implements Executable {
    private static final BooleanSupplier NEVER = () -> false;

    private final Memory memory = new Memory();
    private final KeyValues keyValues;
    private final boolean ownsKeyValues;
    private final ProgramScratch scratch;
    private final Program program;
    private final Planning planning;
    private final ScreenedReadout readout;
    private final ScreenCalibration calibration;
    private final List<CpuFeatures> features = new ArrayList<>();
    private Plan plan;
    private @Nullable Plan tracedPlan;
    private final Pass pass;
    private final @Nullable NativeLogits scans;
    private final float[] copiedLogits;
    private final Team team;

    /** When the team ended this executable's last job. */
    private volatile long ended;

    private final Team.Job job = new Steps();
    private final int maxWorkers;
    private final int maxRows;
    private final long weightBytes;
    private int workers;
    private boolean closed;

    // Of the pass that runs.
    private List<Phase> phases;
    private BooleanSupplier cancelled = NEVER;
    private @Nullable Tracer tracer;
    private boolean running;
    private boolean stopped;
    private boolean resultsValid;

    private @Nullable PassProfile profile;

    /** @param owner whose sequences it runs on, or null for its own */
    CpuExecutable(
            Program program,
            CpuOptions options,
            int workers,
            Team team,
            MatrixKernels matrices,
            RowKernels rows,
            @Nullable CpuExecutable owner) {
        this.team = team;
        this.workers = workers;
        maxWorkers = workers;
        maxRows = options.maxRows();
        ownsKeyValues = owner == null;
        keyValues = owner == null
                ? new KeyValues(memory, new KeyValueLayout(options.cache(), program.layers()))
                : owner.keyValues;
        KeyValueLayout layout = keyValues.layout();
        scratch = new ProgramScratch(memory, matrices, workers);
        this.program = program;
        // Measured where C multiplies; a program that takes numbers in has nothing to calibrate with.
        boolean screens = matrices instanceof NativeMatrixKernels
                && program.body().stream().noneMatch(Op.Input.class::isInstance);
        readout = new ScreenedReadout(
                matrices, NativeLogitScan.choose(options.kernels()).orElseGet(ScalarLogitScan::new), memory, workers);
        planning = tracing -> new Planner(
                        program,
                        matrices,
                        rows,
                        layout,
                        workers,
                        scratch,
                        tracing,
                        features,
                        tracing == null && screens ? readout : null)
                .plan();
        calibration = new ScreenCalibration(this, readout, memory, team);
        plan = planning.plan(null);
        phases = plan.phases();
        weightBytes = plan.weights().stream().mapToLong(CpuExecutable::bytes).sum();
        pass = new Pass(memory, keyValues, plan.vocabulary(), plan.inputWidth(), maxRows);
        scans = NativeLogits.choose(options.kernels(), memory, plan.logitsWidth())
                .orElse(null);
        copiedLogits = new float[scans == null ? plan.logitsWidth() : 0];
    }

    /** Makes phases of the program. */
    private interface Planning {
        /** @param tracing as of {@link Planner} */
        Plan plan(Phase.@Nullable Tracing tracing);
    }

    @Override
    public int maxRows() {
        return maxRows;
    }

    @Override
    public synchronized Sequence newSequence() {
        checkOpen();
        return new CpuSequence(keyValues);
    }

    @Override
    public synchronized boolean run(Batch batch, BooleanSupplier cancelled, @Nullable Tracer tracer) {
        checkOpen();
        if (running) {
            throw new UzuException.InvalidState("a pass can't run inside a pass");
        }
        resultsValid = false;
        hideLogits();
        pass.begin(batch, workers, plan.storesAll());
        running = true;
        try {
            scratch.reserve(pass);
            readout.begin(pass, tracer == null);
            for (int i = 0; i < features.size(); i++) {
                features.get(i).reserve(pass.rows());
            }
            this.cancelled = cancelled;
            this.tracer = tracer;
            phases = (tracer == null ? plan : tracedPlan()).phases();
            stopped = cancelled.getAsBoolean();
            if (!stopped) {
                runPhases();
            }
            resultsValid = !stopped;
            if (resultsValid) {
                readout.ended();
            }
            for (int i = 0; i < features.size() && resultsValid; i++) {
                features.get(i).filled();
            }
        } finally {
            running = false;
            this.cancelled = NEVER;
            this.tracer = null;
            pass.end(resultsValid);
        }
        return resultsValid;
    }

    @Override
    public synchronized boolean improve(BooleanSupplier cancelled) {
        checkOpen();
        resultsValid = false;
        boolean hasMore = calibration.step(plan.vocabulary(), workers, cancelled);
        ended = team.ended();
        return hasMore;
    }

    private void hideLogits() {
        if (scans != null) {
            scans.hide();
        }
    }

    private Plan tracedPlan() {
        if (tracedPlan == null) {
            tracedPlan = planning.plan(() -> tracer);
        }
        return tracedPlan;
    }

    private void runPhases() {
        PassProfile current = profile;
        if (current == null || tracer != null) {
            team.run(workers, job);
        } else {
            Team.Job clocked = current.clocked(job);
            team.run(workers, clocked);
            current.ended(clocked);
        }
        ended = team.ended();
    }

    @Override
    public boolean isAlone(long nanos) {
        long last = team.ended();
        return !team.isBusy() && (last == ended || System.nanoTime() - last > nanos);
    }

    synchronized PassProfile startProfile() {
        PassProfile started = PassProfile.of(this, plan, workers);
        profile = started;
        return started;
    }

    synchronized void endProfile() {
        profile = null;
    }

    @Override
    public synchronized int best(int row) {
        resultRow(row, true);
        int headRow = pass.headRow(row);
        if (readout.isScreened()) {
            return readout.best(headRow);
        }
        Logits logits = shown(plan.logits().row(headRow, plan.logitsWidth()));
        int best = logits.largest(Math.min(pass.choices(), plan.logitsWidth()));
        return best < 0 || Float.isInfinite(logits.get(best)) ? -1 : best;
    }

    @Override
    public synchronized void logits(int row, float[] into) {
        if (into.length != plan.logitsWidth()) {
            throw new UzuException.InvalidArgument("logits are " + plan.logitsWidth() + " floats, not " + into.length);
        }
        MemorySegment.copy(Memory.ALL, JAVA_FLOAT, logitsOf(row), into, 0, into.length);
    }

    @Override
    public synchronized Logits logits(int row) {
        return shown(logitsOf(row));
    }

    private Logits shown(long address) {
        if (scans != null) {
            scans.show(address);
            return scans;
        }
        MemorySegment.copy(Memory.ALL, JAVA_FLOAT, address, copiedLogits, 0, copiedLogits.length);
        return new ArrayLogits(copiedLogits);
    }

    private long logitsOf(int row) {
        if (!pass.wantsLogits(resultRow(row, true))) {
            throw new UzuException.InvalidArgument(
                    "row " + row + " only wanted its likeliest token", Map.of("row", Integer.toString(row)));
        }
        return plan.logits().row(pass.headRow(row), plan.logitsWidth());
    }

    /**
     * Which row of the last pass has the number {@code row}.
     *
     * @param head whether its logits must have been wanted
     */
    synchronized int resultRow(int row, boolean head) {
        checkOpen();
        if (!resultsValid) {
            throw new UzuException.InvalidState("no pass has run to its end");
        }
        if ((head ? pass.headRow(row) : pass.indexOf(row)) < 0) {
            throw new UzuException.InvalidArgument(
                    "the last pass had no row " + row + (head ? " whose logits were wanted" : ""),
                    Map.of("row", Integer.toString(row)));
        }
        return pass.indexOf(row);
    }

    @Override
    public synchronized Features features(List<String> taps) {
        checkOpen();
        CpuFeatures added = new CpuFeatures(this, memory, program, taps);
        features.add(added);
        planAgain();
        return added;
    }

    synchronized void forget(CpuFeatures unwanted) {
        if (!closed && features.remove(unwanted)) {
            unwanted.release();
            planAgain();
        }
    }

    private void planAgain() {
        plan = planning.plan(null);
        tracedPlan = null;
        profile = null; // of other phases
    }

    @Override
    public long weightBytes() {
        return weightBytes;
    }

    @Override
    public long memoryBytes() {
        return weightBytes + memory.bytes();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            hideLogits();
            if (ownsKeyValues) {
                keyValues.close();
            }
            memory.close();
        }
    }

    /** Later passes run on {@code count} workers, at most those it was made with. */
    synchronized void useWorkers(int count) {
        workers = Math.clamp(count, 1, maxWorkers);
    }

    List<Program.Layer> layers() {
        return keyValues.layout().layers();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** The phases of the plan, for the team. */
    private final class Steps implements Team.Job {
        @Override
        public int steps() {
            return phases.size();
        }

        @Override
        public int parts(int step) {
            return phases.get(step).parts(pass, workers);
        }

        @Override
        public boolean onCaller(int step) {
            return phases.get(step).onCaller();
        }

        @Override
        public void run(int step, int part, int worker) {
            // On the caller's thread only, where a callback can't hold up the others or wait for them.
            if (worker == 0 && cancelled.getAsBoolean()) {
                stopped = true;
                team.abort();
                return;
            }
            Phase phase = phases.get(step);
            phase.run(pass, part, phase.parts(pass, workers), worker);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new UzuException.Closed("the executable is closed");
        }
    }

    private static long bytes(Weight weight) {
        return weight instanceof PackedMatrix matrix ? matrix.bytes() : 4L * weight.columns();
    }
}
