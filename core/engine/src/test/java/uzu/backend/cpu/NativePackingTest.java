package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uzu.Precision;
import uzu.backend.RowOrder;
import uzu.format.Tensor;
import uzu.format.TensorType;

class NativePackingTest {
    private static NativePacking packing() {
        Optional<NativeLibrary> library = CompiledKernels.library();
        assumeTrue(library.isPresent(), "no C compiler");
        return new NativePacking(library.get());
    }

    @ParameterizedTest
    @EnumSource(TensorType.class)
    void everyTypePacksToTheBytesOfJava(TensorType type) {
        long seed = System.nanoTime();
        NativePacking packing = packing();
        try (Arena arena = Arena.ofConfined()) {
            RandomMatrices random = new RandomMatrices(seed, arena);
            for (int rows : new int[] {1, 15, 16, 17, 33, 100, 2000}) {
                int columns = type.blockSize() * (1 + random.nextInt(type.blockSize() == 1 ? 100 : 5));
                compare(packing, random.tensor(type, rows, columns), new RowOrder.Plain(), seed);
            }
            int columns = type.isQuantized() ? 256 : 3;
            compare(packing, random.tensor(type, 24, columns), new RowOrder.PairsToHalves(6), seed);
            compare(packing, random.tensor(type, 3 * 256, columns), new RowOrder.PairsToHalves(256), seed);
            // A unit larger than the buffer.
            compare(packing, random.tensor(type, 40, 256 * 100), new RowOrder.Plain(), seed);
        }
    }

    private static void compare(NativePacking packing, Tensor tensor, RowOrder order, long seed) {
        try (Arena arena = Arena.ofConfined()) {
            PackedMatrix expected =
                    new MatrixPacker(arena, ParallelFor.SERIAL, Precision.FAST, null).pack(tensor, order);
            PackedMatrix packed =
                    new MatrixPacker(arena, ParallelFor.SERIAL, Precision.FAST, packing).pack(tensor, order);
            assertEquals(
                    -1,
                    expected.data().mismatch(packed.data()),
                    () -> tensor.rows() + " x " + tensor.columns() + " " + order + ", seed " + seed);
        }
    }

    @Test
    void pagesOfAMappedFileAreReadAgainAfterTheirRelease(@TempDir Path folder) throws IOException {
        long seed = System.nanoTime();
        NativePacking packing = packing();
        try (Arena arena = Arena.ofConfined();
                RandomAccessFile file =
                        new RandomAccessFile(folder.resolve("tensor").toFile(), "rw")) {
            Tensor inMemory = new RandomMatrices(seed, arena).tensor(TensorType.Q4_1, 1024, 576);
            FileChannel channel = file.getChannel();
            channel.write(inMemory.data().asByteBuffer());
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            Tensor inFile = new Tensor("mapped", TensorType.Q4_1, 1024, 576, mapped);
            for (RowOrder order : new RowOrder[] {new RowOrder.Plain(), new RowOrder.PairsToHalves(512)}) {
                MatrixPacker packer = new MatrixPacker(arena, ParallelFor.SERIAL, Precision.FAST, packing);
                PackedMatrix expected = packer.pack(inMemory, order);
                assertEquals(
                        -1, expected.data().mismatch(packer.pack(inFile, order).data()), "seed " + seed);
                assertEquals(-1, inMemory.data().mismatch(mapped), "seed " + seed);
            }
        }
    }
}
