package uzu.format;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;

/** Damaged headers give typed errors, and cost memory in proportion to the file. */
class HeaderFuzzTest {
    private static final int MUTATIONS = 1000;
    private static final int CUTS = 200;
    private static final int[] EDGES = {0, 1, 0x7F, 0x80, 0xFF};

    @TempDir
    Path folder;

    @Test
    void damagedGgufHeaders() throws IOException {
        byte[] good = Files.readAllBytes(Resource.path("format/types.gguf"));
        int header = good.length - dataBytes(Gguf.open(Resource.path("format/types.gguf")));
        fuzz(good, 8, header, folder.resolve("model.gguf"), Gguf::open);
    }

    @Test
    void damagedSafetensorsHeaders() throws IOException {
        Path source = Resource.path("checkpoints/qwen2");
        byte[] good = Files.readAllBytes(source.resolve("model.safetensors"));
        Files.copy(source.resolve("config.json"), folder.resolve("config.json"));
        int header =
                8 + (int) ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
        fuzz(good, 0, header, folder.resolve("model.safetensors"), path -> HfFolder.open(folder));
    }

    private static int dataBytes(Checkpoint checkpoint) {
        try (checkpoint) {
            return (int) checkpoint.tensorBytes();
        }
    }

    private static void fuzz(byte[] good, int from, int header, Path path, Function<Path, Checkpoint> open)
            throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            Files.write(path, mutated(good, from, header, random));
            refused += opens(path, open, "seed " + seed + " mutation " + i) ? 0 : 1;
        }
        for (int i = 0; i < CUTS; i++) {
            int length = (int) ((long) header * i / CUTS);
            Files.write(path, Arrays.copyOf(good, length));
            assertTrue(!opens(path, open, "cut at " + length), "a file cut at " + length + " opened");
        }
        assertTrue(refused > MUTATIONS / 10, "only " + refused + " of the mutated headers were refused");
    }

    /** One to eight changes: a byte, an edge value, a 32- or 64-bit edge, a swapped or a moved run. */
    private static byte[] mutated(byte[] good, int from, int header, Random random) {
        byte[] bytes = good.clone();
        int changes = 1 + random.nextInt(8);
        for (int i = 0; i < changes; i++) {
            int at = from + random.nextInt(header - from - 8);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] = (byte) EDGES[random.nextInt(EDGES.length)];
                case 2 -> Arrays.fill(bytes, at, at + 4, (byte) EDGES[random.nextInt(EDGES.length)]);
                case 3 -> Arrays.fill(bytes, at, at + 8, (byte) EDGES[random.nextInt(EDGES.length)]);
                default -> {
                    int source = from + random.nextInt(header - from - 8);
                    System.arraycopy(good, source, bytes, at, 1 + random.nextInt(8));
                }
            }
        }
        return bytes;
    }

    private static boolean opens(Path path, Function<Path, Checkpoint> open, String what) {
        long before = allocated();
        boolean opened = false;
        try (Checkpoint checkpoint = open.apply(path)) {
            opened = true;
            if (checkpoint instanceof Gguf gguf) {
                decodeAll(gguf.metadata());
            }
        } catch (UzuException e) {
            assertTrue(e.details().containsKey("path"), what + ": " + e.getMessage());
        } catch (RuntimeException | Error e) {
            fail(what, e);
        }
        long cost = allocated() - before;
        long limit = 64 * path.toFile().length() + (4 << 20);
        assertTrue(cost <= limit, what + ": allocated " + cost + " bytes");
        return opened;
    }

    private static void decodeAll(Metadata metadata) {
        for (String key : metadata.keys()) {
            for (Function<String, Object> getter : getters(metadata)) {
                try {
                    getter.apply(key);
                } catch (UzuException.ModelCorrupt wrongType) {
                    // Only one getter fits a key; the others must refuse it in just this way.
                }
            }
        }
    }

    private static Iterable<Function<String, Object>> getters(Metadata m) {
        return List.of(m::string, m::integer, m::number, m::bool, m::strings, m::ints, m::floats);
    }

    private static long allocated() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }
}
