package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import uzu.SamplingMethod.Stochastic;
import uzu.backend.ArrayLogits;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Logits;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.RowOrder;
import uzu.backend.Sequence;
import uzu.backend.Value;
import uzu.backend.Wanted;
import uzu.backend.Weight;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Tensor;
import uzu.format.TensorType;

/** A draw from logits where a pass left them is the draw from a copy, whatever the distribution and the filters. */
class TwinDrawsTest {
    private static final int VOCABULARY = 5003;
    private static final int WIDTH = 32;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final CpuBackend backend = CpuBackend.open(CpuOptions.defaults().withThreads(1));
    private final Executable executable = backend.prepare(program());
    private final Sequence sequence = executable.newSequence();

    @AfterEach
    void close() {
        sequence.close();
        executable.close();
        backend.close();
    }

    private Program program() {
        Value hidden = new Value(0, WIDTH, "hidden");
        Value logits = new Value(1, VOCABULARY, "logits");
        byte[] zeros = new byte[4 * VOCABULARY * WIDTH];
        MemorySegment data = MemorySegment.ofArray(zeros);
        Weight table =
                backend.matrix(new Tensor("table", TensorType.F32, VOCABULARY, WIDTH, data), new RowOrder.Plain());
        Op.Projection readout = new Op.Projection(table, null, logits, false);
        return new Program(
                List.of(hidden, logits),
                List.of(),
                List.of(new Op.Embed(table, 1, hidden)),
                hidden,
                List.of(new Op.MatMul(hidden, List.of(readout))),
                logits);
    }

    private Logits fresh(float[] values) {
        executable.run(new OneRow(sequence), () -> false, null);
        Logits logits = executable.logits(0);
        for (int token = 0; token < values.length; token++) {
            logits.set(token, values[token]);
        }
        return logits;
    }

    private float[] values() {
        float[] values = new float[VOCABULARY];
        float spread = new float[] {0, 0.01f, 1, 4, 12}[random.nextInt(5)];
        for (int token = 0; token < VOCABULARY; token++) {
            values[token] = random.nextInt(100) == 0
                    ? Float.NEGATIVE_INFINITY
                    : 7 + spread * Math.round(16 * random.nextGaussian()) / 16;
        }
        values[random.nextInt(VOCABULARY)] = 8;
        return values;
    }

    private Settings settings() {
        Stochastic method = Stochastic.create().withTemperature(0.05 + 2 * random.nextDouble());
        if (random.nextBoolean()) {
            method = method.withTopK(1 + random.nextInt(random.nextBoolean() ? 60 : VOCABULARY));
        }
        if (random.nextBoolean()) {
            method = method.withTopP(0.01 + 0.98 * random.nextDouble());
        }
        if (random.nextBoolean()) {
            method = method.withMinP(random.nextDouble() * 0.2);
        }
        return Settings.of(random.nextBoolean() ? method : method.withRepetitionPenalty(1.1));
    }

    @Test
    void theDrawIsThatFromACopy() {
        Sampler sampler = new Sampler(VOCABULARY - 3);
        Tokens path = new Tokens();
        for (int trial = 0; trial < 2000; trial++) {
            float[] values = values();
            Settings settings = settings();
            int expected = sampler.draw(settings, seed, path, 0, new ArrayLogits(values.clone()));
            int actual = sampler.draw(settings, seed, path, 0, fresh(values));
            assertEquals(expected, actual, () -> "seed " + seed + ", " + settings);
            path.add(actual);
        }
    }

    private record OneRow(Sequence sequence) implements Batch {
        @Override
        public int size() {
            return 1;
        }

        @Override
        public int token(int row) {
            return 0;
        }

        @Override
        public Sequence sequence(int row) {
            return sequence;
        }

        @Override
        public int parent(int row) {
            return -1;
        }

        @Override
        public Wanted wanted(int row) {
            return Wanted.LOGITS;
        }
    }
}
