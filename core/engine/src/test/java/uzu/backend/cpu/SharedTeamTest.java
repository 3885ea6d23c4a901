package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.backend.Executable;
import uzu.backend.Sequence;

class SharedTeamTest {
    private static final int TOKENS = 200;

    @Test
    @Timeout(60)
    void twoEnginesDecodeAtOnceOnOneTeamWithTheirOwnResults() throws Exception {
        float[] alone = decode(3).call();
        try (ExecutorService callers = Executors.newFixedThreadPool(2)) {
            List<Future<float[]>> together = callers.invokeAll(List.of(decode(3), decode(3)));
            assertArrayEquals(alone, together.get(0).get());
            assertArrayEquals(alone, together.get(1).get());
        }
    }

    @Test
    void backendsHaveTheSameWorkersAndTheLastOneEndsThem() throws InterruptedException {
        Team first = SharedTeam.acquire();
        Team second = SharedTeam.acquire();
        assertEquals(first, second);
        SharedTeam.release();
        try {
            first.run(1, new Nothing());
        } finally {
            SharedTeam.release();
        }
    }

    /** One token after another on a backend of its own; the last logits. */
    private static Callable<float[]> decode(int threads) {
        return () -> {
            TinyModel model = new TinyModel(7);
            int[] tokens = new Random(3).ints(TOKENS, 0, TinyModel.VOCABULARY).toArray();
            try (CpuBackend backend = CpuBackend.open(CpuOptions.defaults().withThreads(threads));
                    Executable executable = backend.prepare(model.program(backend));
                    Sequence sequence = executable.newSequence()) {
                for (int i = 0; i < TOKENS; i++) {
                    Rows rows = new Rows();
                    int[] path = rows.chain(sequence, tokens, i, i + 1);
                    assertTrue(executable.run(rows, () -> false, null));
                    sequence.commit(path);
                }
                float[] logits = new float[TinyModel.VOCABULARY];
                executable.logits(0, logits);
                return logits;
            }
        };
    }

    private static final class Nothing implements Team.Job {
        @Override
        public int steps() {
            return 0;
        }

        @Override
        public int parts(int step) {
            return 0;
        }

        @Override
        public void run(int step, int part, int worker) {}
    }
}
