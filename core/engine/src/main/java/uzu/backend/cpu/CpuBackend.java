package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Backend;
import uzu.backend.Executable;
import uzu.backend.Program;
import uzu.backend.RowOrder;
import uzu.backend.Weight;
import uzu.format.Tensor;

/** Runs programs on the processor's cores. */
public final class CpuBackend implements Backend {
    private final CpuOptions options;
    private final int workers;
    private final WeightMemory memory = new WeightMemory();
    private final Team team = SharedTeam.acquire();
    private final MatrixKernels matrices;
    private final RowKernels rows;
    private final @Nullable NativePacking packing;
    private final List<CpuExecutable> executables = new ArrayList<>();
    private boolean closed;

    private CpuBackend(CpuOptions options, MatrixKernels matrices, RowKernels rows) {
        this.options = options;
        this.matrices = matrices;
        this.rows = rows;
        packing = NativePacking.choose(options.kernels());
        workers = options.threads() == 0 ? Cores.available() : options.threads();
    }

    /** @throws UzuException.InvalidArgument when this processor or build lacks the kernels asked for */
    public static CpuBackend open(CpuOptions options) {
        return new CpuBackend(
                options, MatrixTwins.choose(options.kernels()), NativeRowKernels.choose(options.kernels()));
    }

    /** What {@link #open} would run on. */
    public static CpuKernels kernels(CpuOptions options) {
        return new CpuKernels(
                MatrixTwins.choose(options.kernels()).description(),
                NativeRowKernels.choose(options.kernels()).description(),
                NativeLibrary.loaded().map(NativeLibrary::path).orElse(null),
                options.threads() == 0 ? Cores.available() : options.threads());
    }

    /** Which twins multiply matrices: {@code avx2}, {@code scalar}, … */
    public String kernels() {
        return matrices.description();
    }

    @Override
    public String description() {
        return "cpu " + matrices.description() + ", " + workers + (workers == 1 ? " thread" : " threads");
    }

    @Override
    public synchronized Weight matrix(Tensor tensor, RowOrder order) {
        checkOpen();
        String purpose = "tensor " + tensor.name();
        MatrixPacker packer = new MatrixPacker(
                (bytes, alignment) -> Memory.ALL.asSlice(memory.allocate(bytes, purpose), bytes),
                this::inParallel,
                options.precision(),
                packing);
        return packer.pack(tensor, order);
    }

    @Override
    public synchronized Weight vector(String name, float[] values) {
        checkOpen();
        long address = memory.allocate(4L * values.length, "vector " + name);
        MemorySegment.copy(values, 0, Memory.ALL, JAVA_FLOAT, address, values.length);
        return new CpuVector(name, values.length, address);
    }

    @Override
    public synchronized Executable prepare(Program program) {
        checkOpen();
        return add(new CpuExecutable(program, options, workers, team, matrices, rows, null));
    }

    @Override
    public synchronized Executable prepare(Program program, Executable owner) {
        if (!(owner instanceof CpuExecutable ours) || !executables.contains(owner)) {
            throw new UzuException.InvalidArgument("the owner of the sequences is another backend's");
        }
        if (!program.layers().equals(ours.layers())) {
            throw new UzuException.InvalidArgument("the program's layers aren't those of the sequences' owner");
        }
        return add(new CpuExecutable(program, options, workers, team, matrices, rows, ours));
    }

    private Executable add(CpuExecutable executable) {
        executables.removeIf(CpuExecutable::isClosed);
        executables.add(executable);
        return executable;
    }

    /** Later passes run on {@code threads} threads, at most those of the options: for measurements side by side. */
    public synchronized void useThreads(int threads) {
        executables.forEach(executable -> executable.useWorkers(threads));
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            executables.forEach(CpuExecutable::close);
            memory.close();
            SharedTeam.release();
        }
    }

    private void inParallel(int tasks, IntConsumer body) {
        int parts = Math.min(tasks, Team.MAX_PARTS);
        team.run(workers, new Team.Job() {
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
                for (int task = part; task < tasks; task += parts) {
                    body.accept(task);
                }
            }
        });
    }

    private void checkOpen() {
        if (closed) {
            throw new UzuException.Closed("the backend is closed");
        }
    }
}
