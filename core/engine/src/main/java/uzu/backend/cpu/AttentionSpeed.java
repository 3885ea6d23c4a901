package uzu.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import uzu.KvCache;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.RowOrder;
import uzu.backend.Sequence;
import uzu.backend.Value;
import uzu.backend.Wanted;
import uzu.backend.Weight;
import uzu.format.Tensor;
import uzu.format.TensorType;

/** Measures attention: passes of a program that has next to nothing else, with more keys and values than caches hold. */
public final class AttentionSpeed {
    private static final int LAYERS = 32;
    private static final int HEADS = 12;
    private static final int KV_HEADS = 2;
    private static final int HEAD_SIZE = 128;
    private static final int CONTEXT = 1024;
    private static final int VOCABULARY = 64;
    private static final int RUNS = 7;

    /**
     * One figure.
     *
     * @param bytesPerSecond keys and values read, each once a pass
     * @param productsPerSecond multiply-adds of all query heads with keys and with values
     */
    public record Figure(KvCache cache, int rows, int threads, double bytesPerSecond, double productsPerSecond) {}

    private AttentionSpeed() {}

    /** What is measured, for reports. */
    public static String shape() {
        return "%d heads over %d of %d columns, %d layers, context %d"
                .formatted(HEADS, KV_HEADS, HEAD_SIZE, LAYERS, CONTEXT);
    }

    public static void measure(CpuOptions options, int[] rows, int[] threads, Consumer<Figure> to) {
        int most = Arrays.stream(threads).max().orElse(1);
        try (CpuBackend backend = CpuBackend.open(options.withThreads(most));
                Executable executable = backend.prepare(program(backend));
                Sequence sequence = executable.newSequence()) {
            for (int at = 0; at < CONTEXT; at += executable.maxRows()) {
                Rows batch = new Rows(sequence, Math.min(executable.maxRows(), CONTEXT - at));
                executable.run(batch, () -> false, null);
                int[] path = new int[batch.size];
                Arrays.setAll(path, row -> row);
                sequence.commit(path);
            }
            for (int workers : threads) {
                backend.useThreads(workers);
                for (int count : rows) {
                    to.accept(measure(options.cache(), executable, new Rows(sequence, count), workers));
                }
            }
        }
    }

    private static Figure measure(KvCache cache, Executable executable, Rows batch, int workers) {
        double least = Double.MAX_VALUE;
        for (int run = 0; run < RUNS; run++) {
            long start = System.nanoTime();
            executable.run(batch, () -> false, null);
            least = Math.min(least, (System.nanoTime() - start) / 1e9);
        }
        double positions = (double) batch.size * CONTEXT + batch.size * (batch.size + 1) / 2.0;
        long bytes = new KeyValueLayout(cache, layers()).bufferBytes(CONTEXT);
        double products = 2.0 * LAYERS * HEADS * HEAD_SIZE * positions;
        return new Figure(cache, batch.size, workers, bytes / least, products / least);
    }

    private static List<Program.Layer> layers() {
        return Collections.nCopies(LAYERS, new Program.Layer(KV_HEADS, HEAD_SIZE, 0));
    }

    private static Program program(CpuBackend backend) {
        int width = HEADS * HEAD_SIZE;
        int kvWidth = KV_HEADS * HEAD_SIZE;
        Value queries = new Value(0, width, "queries");
        Value keys = new Value(1, kvWidth, "keys");
        Value values = new Value(2, kvWidth, "values");
        Value out = new Value(3, width, "out");
        Value logits = new Value(4, VOCABULARY, "logits");
        Weight wide = matrix(backend, "wide", width);
        List<Op> body = new ArrayList<>();
        body.add(new Op.Embed(wide, 1, queries));
        body.add(new Op.Embed(matrix(backend, "keys", kvWidth), 1, keys));
        body.add(new Op.Embed(matrix(backend, "values", kvWidth), 1, values));
        for (int layer = 0; layer < LAYERS; layer++) {
            body.add(new Op.Store(layer, keys, values));
            body.add(new Op.Attend(queries, layer, HEADS, 0.1f, 0, 0, out));
        }
        List<Op> head = List.of(new Op.MatMul(out, List.of(new Op.Projection(wide, null, logits, false))));
        return new Program(List.of(queries, keys, values, out, logits), layers(), body, out, head, logits);
    }

    private static Weight matrix(CpuBackend backend, String name, int columns) {
        float[] values = new float[VOCABULARY * columns];
        Random random = new Random(4);
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        MemorySegment data = MemorySegment.ofArray(values);
        Tensor tensor = new Tensor(name, TensorType.F32, VOCABULARY, columns, data);
        return backend.matrix(tensor, new RowOrder.Plain());
    }

    /** A chain whose logits nobody wants. */
    private record Rows(Sequence sequence, int size) implements Batch {
        @Override
        public int token(int row) {
            return (row * 7 + sequence.length()) % VOCABULARY;
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
            return Wanted.NOTHING;
        }
    }
}
