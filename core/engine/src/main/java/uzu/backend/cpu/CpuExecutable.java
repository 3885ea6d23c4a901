package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Program;
import uzu.backend.Sequence;
import uzu.backend.Weight;

/** Runs a program's phases on the worker team, with a barrier after each. Closing waits for the pass that runs. */
final class CpuExecutable implements Executable {
    private static final BooleanSupplier NEVER = () -> false;

    private final Memory memory = new Memory();
    private final KeyValues keyValues;
    private final ProgramScratch scratch;
    private final Plan plan;
    private final Plan tracedPlan;
    private final Pass pass;
    private final Team team;
    private final Team.Job job = this::work;
    private final int workers;
    private final int maxRows;
    private final long weightBytes;
    private boolean closed;

    // Of the pass that runs.
    private BooleanSupplier cancelled = NEVER;
    private @Nullable Tracer tracer;
    private boolean stopped;
    private boolean resultsValid;

    CpuExecutable(
            Program program, CpuOptions options, int workers, Team team, MatrixKernels matrices, RowKernels rows) {
        this.team = team;
        this.workers = workers;
        maxRows = options.maxRows();
        KeyValueLayout layout = new KeyValueLayout(options.cache(), program.layers());
        keyValues = new KeyValues(memory, layout);
        scratch = new ProgramScratch(memory, matrices, workers);
        plan = new Planner(program, matrices, rows, layout, workers, scratch, null).plan();
        tracedPlan = new Planner(program, matrices, rows, layout, workers, scratch, () -> tracer).plan();
        weightBytes = plan.weights().stream().mapToLong(CpuExecutable::bytes).sum();
        pass = new Pass(memory, keyValues, plan.vocabulary(), maxRows);
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
        resultsValid = false;
        boolean complete = false;
        pass.begin(batch);
        try {
            scratch.reserve(pass);
            this.cancelled = cancelled;
            this.tracer = tracer;
            stopped = false;
            team.run(workers, job);
            complete = !stopped;
        } finally {
            this.cancelled = NEVER;
            this.tracer = null;
            pass.end(complete);
        }
        resultsValid = complete;
        return complete;
    }

    @Override
    public synchronized void logits(int row, float[] into) {
        checkOpen();
        if (!resultsValid) {
            throw new UzuException.InvalidState("no pass has run to its end");
        }
        int at = pass.headRow(row);
        if (at < 0) {
            throw new UzuException.InvalidArgument(
                    "the last pass had no row " + row + " whose logits were wanted",
                    Map.of("row", Integer.toString(row)));
        }
        if (into.length != plan.logitsWidth()) {
            throw new UzuException.InvalidArgument("logits are " + plan.logitsWidth() + " floats, not " + into.length);
        }
        long from = plan.logits().row(at, plan.logitsWidth());
        MemorySegment.copy(Memory.ALL, JAVA_FLOAT, from, into, 0, into.length);
    }

    @Override
    public long memoryBytes() {
        return weightBytes + memory.bytes();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            keyValues.close();
            memory.close();
        }
    }

    synchronized boolean isClosed() {
        return closed;
    }

    private void work(int worker) {
        Plan current = tracer == null ? plan : tracedPlan;
        if (work(current.body(), worker) && pass.headRows() > 0) {
            work(current.head(), worker);
        }
    }

    private boolean work(List<Phase> phases, int worker) {
        for (int i = 0; i < phases.size(); i++) {
            if (worker == 0 && cancelled.getAsBoolean()) {
                stopped = true;
                team.abort();
                return false;
            }
            phases.get(i).run(pass, worker, workers);
            if (!team.barrier(worker)) {
                return false;
            }
        }
        return true;
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
