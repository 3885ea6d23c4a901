package uzu.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import uzu.UzuException;

/** Logits that tools/peer/llama_logits computed for a sequence of ids: [ids, vocabulary], mapped. */
final class PeerLogits implements AutoCloseable {
    private final Path file;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment data;
    private final int vocabulary;

    private PeerLogits(Path file, int vocabulary) throws IOException {
        this.file = file;
        this.vocabulary = vocabulary;
        try (FileChannel channel = FileChannel.open(file)) {
            data = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    static PeerLogits compute(String program, Path model, int[] ids, int vocabulary, int threads) {
        try {
            Path in = Files.createTempFile("uzu-ids", ".bin");
            Path out = Files.createTempFile("uzu-logits", ".bin");
            ByteBuffer bytes = ByteBuffer.allocate(ids.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asIntBuffer().put(ids);
            Files.write(in, bytes.array());
            Process process = new ProcessBuilder(
                            program, model.toString(), in.toString(), out.toString(), String.valueOf(threads))
                    .inheritIO()
                    .start();
            int status = process.waitFor();
            Files.delete(in);
            if (status != 0 || Files.size(out) != (long) ids.length * vocabulary * Float.BYTES) {
                throw new UzuException.Internal(
                        program + " ended with status " + status + " and " + Files.size(out) + " bytes",
                        Map.of("path", program));
            }
            return new PeerLogits(out, vocabulary);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("interrupted");
        }
    }

    void row(int index, float[] into) {
        MemorySegment.copy(
                data, ValueLayout.JAVA_FLOAT_UNALIGNED, (long) index * vocabulary * Float.BYTES, into, 0, vocabulary);
    }

    @Override
    public void close() {
        arena.close();
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
