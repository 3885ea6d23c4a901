package uzu.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.Precision;
import uzu.UzuException;
import uzu.backend.RowOrder;
import uzu.format.Tensor;
import uzu.format.TensorType;

/**
 * Lays tensors out as {@link MatrixLayout} says. Reads the source once, in slices of 16 rows; pages of a mapped file do
 * not stay in memory after it.
 */
final class MatrixPacker {
    /** Packed bytes worth a task of their own. */
    private static final long TASK_BYTES = 256 * 1024;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private final SegmentAllocator memory;
    private final ParallelFor parallel;
    private final Precision precision;
    private final @Nullable NativePacking inC;

    /**
     * Packed matrices live as long as the memory that {@code memory} hands out; it is zeroed or not, as it likes.
     *
     * @param inC the twin to use instead of Java; null for none
     */
    MatrixPacker(SegmentAllocator memory, ParallelFor parallel, Precision precision, @Nullable NativePacking inC) {
        this.memory = memory;
        this.parallel = parallel;
        this.precision = precision;
        this.inC = inC;
    }

    /** @throws UzuException.ModelCorrupt when the tensor's shape does not fit its type or the kernels */
    PackedMatrix pack(Tensor tensor, RowOrder order) {
        check(tensor);
        MatrixLayout layout = MatrixLayout.of(tensor.type());
        int rows = (int) tensor.rows();
        int columns = (int) tensor.columns();
        int units = MatrixLayout.units(rows);
        long unitBytes = layout.unitBytes(columns);
        MemorySegment data = memory.allocate(units * unitBytes, MatrixLayout.VECTOR);
        int perTask = Math.clamp(TASK_BYTES / unitBytes, 1, units);
        parallel.run((units + perTask - 1) / perTask, task -> {
            int last = Math.min(units, (task + 1) * perTask);
            if (inC != null) {
                inC.pack(tensor, order, layout, task * perTask, last, data);
            } else {
                packUnits(tensor, order, layout, task * perTask, last, data);
            }
            release(tensor, (long) task * perTask * MatrixLayout.LANES, (long) last * MatrixLayout.LANES);
        });
        // With rows in another order, tasks read what others have released.
        release(tensor, 0, rows);
        boolean floats = precision == Precision.EXACT || !tensor.type().isQuantized();
        return new PackedMatrix(tensor.name(), rows, columns, layout, floats, data);
    }

    /** Drops a mapped file's pages from the process; should one be wanted again, the system's cache has it. */
    private static void release(Tensor tensor, long from, long to) {
        if (tensor.data().isMapped()) {
            long rowBytes = tensor.type().rowBytes(tensor.columns());
            long rows = Math.min(to, tensor.rows()) - from;
            tensor.data().asSlice(from * rowBytes, rows * rowBytes).unload();
        }
    }

    private static void check(Tensor tensor) {
        TensorType type = tensor.type();
        boolean whole = tensor.columns() % type.blockSize() == 0;
        if (tensor.rows() < 1 || tensor.columns() < 1 || !whole) {
            String shape = tensor.rows() + " × " + tensor.columns();
            throw new UzuException.ModelCorrupt(
                    "tensor " + tensor.name() + " of type " + type + " can't be " + shape,
                    Map.of("tensor", tensor.name(), "shape", shape));
        }
        if (tensor.rows() > Integer.MAX_VALUE - MatrixLayout.LANES
                || tensor.columns() > Integer.MAX_VALUE / (MatrixLayout.LANES * Float.BYTES)) {
            throw new UzuException.ModelUnsupported(
                    "tensor " + tensor.name() + " is larger than the kernels address", Map.of("tensor", tensor.name()));
        }
    }

    private static void packUnits(
            Tensor tensor, RowOrder order, MatrixLayout layout, int from, int to, MemorySegment data) {
        int columns = (int) tensor.columns();
        int rowBytes = (int) tensor.type().rowBytes(columns);
        byte[] in = new byte[MatrixLayout.LANES * rowBytes];
        byte[] out = new byte[(int) layout.unitBytes(columns)];
        int[] quants = new int[MatrixLayout.GROUP / 4];
        for (int unit = from; unit < to; unit++) {
            int first = unit * MatrixLayout.LANES;
            int lanes = (int) Math.min(MatrixLayout.LANES, tensor.rows() - first);
            for (int lane = 0; lane < lanes; lane++) {
                MemorySegment row = tensor.row(order.source(first + lane));
                MemorySegment.copy(row, ValueLayout.JAVA_BYTE, 0, in, lane * rowBytes, rowBytes);
            }
            Arrays.fill(in, lanes * rowBytes, in.length, (byte) 0);
            if (tensor.type().isQuantized()) {
                packQuantised(layout, columns, in, rowBytes, quants, out);
            } else {
                interleave(in, rowBytes, tensor.type().blockBytes(), out);
            }
            MemorySegment.copy(out, 0, data, ValueLayout.JAVA_BYTE, (long) unit * out.length, out.length);
        }
    }

    private static void interleave(byte[] in, int rowBytes, int size, byte[] out) {
        for (int lane = 0; lane < MatrixLayout.LANES; lane++) {
            int from = lane * rowBytes;
            int to = lane * size;
            for (int at = 0; at < rowBytes; at += size, to += size * MatrixLayout.LANES) {
                if (size == Short.BYTES) {
                    SHORT.set(out, to, (short) SHORT.get(in, from + at));
                } else {
                    INT.set(out, to, (int) INT.get(in, from + at));
                }
            }
        }
    }

    private static void packQuantised(
            MatrixLayout layout, int columns, byte[] in, int rowBytes, int[] quants, byte[] out) {
        for (int group = 0; group < MatrixLayout.groups(columns); group++) {
            int to = (int) layout.groupOffset(group);
            for (int lane = 0; lane < MatrixLayout.LANES; lane++) {
                int block = GgmlBlocks.block(layout, lane * rowBytes, group);
                GgmlBlocks.quants(layout, in, block, group, quants);
                BitPlanes.pack(layout, quants, out, to, lane);
                GgmlBlocks.scales(layout, in, block, group, out, to + layout.planeBytes(), lane);
                if (layout.scales.superBytes > 0 && group % MatrixLayout.SUPER_GROUPS == 0) {
                    GgmlBlocks.superScales(layout, in, block, out, (int) layout.superOffset(group), lane);
                }
            }
        }
    }
}
