package uzu.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uzu.KvCache;
import uzu.Precision;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Checkpoint;
import uzu.format.Gguf;
import uzu.format.HfFolder;

/** Every family from every kind of file against what the reference implementation computed. */
final class FamiliesTest {
    private static final Path CHECKPOINTS = Path.of("src/test/resources/checkpoints");

    static Stream<Path> files() {
        return Stream.of("llama", "llama3_rope", "qwen2", "qwen3", "gemma3")
                .flatMap(family -> Stream.of(CHECKPOINTS.resolve(family), CHECKPOINTS.resolve(family + "/model.gguf")))
                .filter(Files::exists);
    }

    @ParameterizedTest
    @MethodSource("files")
    void onePassComputesWhatTheReferenceComputes(Path file) throws IOException {
        TraceFile trace = TraceFile.in(folder(file));
        try (Loaded loaded = Loaded.of(file, Precision.EXACT);
                Run run = loaded.run()) {
            run.chain(trace.ids("ids"));
            assertClose(trace, "prefill.", run.tapped);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void tokenByTokenAndInUnevenChunksGiveTheBitsOfOnePass(Path file) throws IOException {
        TraceFile trace = TraceFile.in(folder(file));
        int[] ids = trace.ids("ids");
        for (Precision precision : Precision.values()) {
            try (Loaded loaded = Loaded.of(file, precision);
                    Run whole = loaded.run();
                    Run single = loaded.run();
                    Run uneven = loaded.run()) {
                whole.chain(ids);
                for (int id : ids) {
                    single.chain(id);
                }
                int from = 0;
                for (int size : new int[] {13, 31, 1, 25}) {
                    uneven.chain(Arrays.copyOfRange(ids, from, from + size));
                    from += size;
                }
                assertSameBits(whole.tapped, single.tapped);
                assertSameBits(whole.tapped, uneven.tapped);
                if (precision == Precision.EXACT) {
                    assertClose(trace, "decode.", single.tapped);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyPathOfATreeGivesTheBitsOfThePlainRun(Path file) throws IOException {
        int[] ids = TraceFile.in(folder(file)).ids("ids");
        long seed = System.nanoTime();
        System.out.println("tree seed " + seed);
        Random random = new Random(seed);
        int rows = 24;
        int[] tokens = random.ints(rows, 0, 256).toArray();
        int[] parents = depthFirstParents(random, rows);
        for (Precision precision : Precision.values()) {
            try (Loaded loaded = Loaded.of(file, precision);
                    Run tree = loaded.run()) {
                int[] prefix = Arrays.copyOf(ids, 37);
                tree.chain(prefix);
                tree.tapped.clear();
                tree.tree(tokens, parents);
                for (int row = 0; row < rows; row++) {
                    int[] path = path(parents, row);
                    try (Run plain = loaded.run()) {
                        plain.chain(prefix);
                        plain.tapped.clear();
                        plain.chain(Arrays.stream(path).map(r -> tokens[r]).toArray());
                        assertArrayEquals(
                                plain.row("logits", path.length - 1, path.length),
                                tree.row("logits", row, rows),
                                "row " + row + " seed " + seed);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void aCommittedBranchContinuesAsIfItHadBeenTypedIn(Path file) throws IOException {
        int[] ids = TraceFile.in(folder(file)).ids("ids");
        try (Loaded loaded = Loaded.of(file, Precision.FAST);
                Run branched = loaded.run();
                Run plain = loaded.run()) {
            branched.chain(Arrays.copyOf(ids, 20));
            branched.tree(new int[] {7, 8, 9, 10, 11, 12}, new int[] {-1, 0, 1, 0, 3, 4});
            branched.commit(0, 3, 4);
            branched.tapped.clear();
            branched.chain(Arrays.copyOfRange(ids, 20, 40));
            plain.chain(Arrays.copyOf(ids, 20));
            plain.chain(7, 10, 11);
            plain.tapped.clear();
            plain.chain(Arrays.copyOfRange(ids, 20, 40));
            assertSameBits(plain.tapped, branched.tapped);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void greedyDecodingDrawsTheReferencesTokens(Path file) throws IOException {
        TraceFile trace = TraceFile.in(folder(file));
        int[] prompt = trace.ids("greedy.prompt");
        int[] expected = trace.ids("greedy.ids");
        List<Integer> drawn = new ArrayList<>();
        try (Loaded loaded = Loaded.of(file, Precision.EXACT);
                Run run = loaded.run()) {
            run.chain(prompt);
            float[] logits = run.row("logits", prompt.length - 1, prompt.length);
            for (int i = 0; i < expected.length; i++) {
                drawn.add(argmax(logits));
                run.tapped.clear();
                run.chain(drawn.getLast());
                logits = run.row("logits", 0, 1);
            }
        }
        assertEquals(Arrays.stream(expected).boxed().toList(), drawn);
    }

    private static Path folder(Path file) {
        return Files.isDirectory(file) ? file : file.getParent();
    }

    private static int argmax(float[] values) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            best = values[i] > values[best] ? i : best;
        }
        return best;
    }

    /** Parents of a random tree in depth-first order with several roots. */
    private static int[] depthFirstParents(Random random, int rows) {
        int[] parents = new int[rows];
        for (int row = 0; row < rows; row++) {
            int parent = row - 1;
            while (parent >= 0 && random.nextInt(3) == 0) {
                parent = parents[parent];
            }
            parents[row] = parent;
        }
        return parents;
    }

    private static int[] path(int[] parents, int row) {
        List<Integer> path = new ArrayList<>();
        for (int r = row; r >= 0; r = parents[r]) {
            path.addFirst(r);
        }
        return path.stream().mapToInt(Integer::intValue).toArray();
    }

    private static void assertClose(TraceFile trace, String prefix, Map<String, float[]> tapped) {
        int compared = 0;
        for (Map.Entry<String, float[]> entry : tapped.entrySet()) {
            String name = entry.getKey().startsWith("mod.") ? entry.getKey() : prefix + entry.getKey();
            if (!trace.has(name)) {
                continue;
            }
            float[] expected = trace.floats(name);
            float[] actual = Arrays.copyOf(entry.getValue(), expected.length); // modules: the first positions only
            for (int i = 0; i < expected.length; i++) {
                double difference = Math.abs((double) expected[i] - actual[i]);
                int at = i;
                assertTrue(
                        difference <= trace.tolerance(),
                        () -> "%s[%d]: expected %g, got %g".formatted(name, at, expected[at], actual[at]));
            }
            compared++;
        }
        assertTrue(compared >= 4, "only " + compared + " tensors compared");
    }

    private static void assertSameBits(Map<String, float[]> expected, Map<String, float[]> actual) {
        assertEquals(expected.keySet(), actual.keySet());
        expected.forEach((name, values) -> assertArrayEquals(values, actual.get(name), name));
    }

    /** A model and the backend it runs on. */
    private record Loaded(CpuBackend backend, LanguageModel model) implements AutoCloseable {
        static Loaded of(Path file, Precision precision) {
            CpuBackend backend = CpuBackend.open(
                    CpuOptions.defaults().withPrecision(precision).withCache(KvCache.F32));
            try (Checkpoint checkpoint = Files.isDirectory(file) ? HfFolder.open(file) : Gguf.open(file)) {
                return new Loaded(backend, LanguageModel.load(checkpoint, backend));
            }
        }

        Run run() {
            return new Run(model.executable());
        }

        @Override
        public void close() {
            model.close();
            backend.close();
        }
    }
}
