package uzu.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import uzu.KvCache;
import uzu.Precision;
import uzu.UzuException;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Features;
import uzu.backend.Sequence;
import uzu.backend.Wanted;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Checkpoint;
import uzu.format.HfFolder;

/**
 * The block drafter of a folder that lalamo exported computes what lalamo computes, on features of our own target; and a
 * folder that isn't understood is refused by name. The folder has a full and a sliding layer, biases, YaRN and a network
 * that scores paths, which {@code BlockDrafterTest} looks at.
 */
class BlockNetworkTest {
    private static final Path TARGET = Path.of("src/test/resources/checkpoints/qwen3");
    private static final Path FOLDER = Path.of("src/test/resources/speculators/qwen3");
    private static final int VOCABULARY = 256;
    private static final double TOLERANCE = 2e-4;
    private static final int[] CONTEXTS = {3, 40, 62};

    @TempDir
    Path copies;

    /** A target with its drafter, both filled with a text token by token or in larger steps. */
    private static final class Pair implements AutoCloseable {
        private final CpuBackend backend;
        private final LanguageModel target;
        final BlockNetwork network;
        private final Features features;
        private final Sequence targetSequence;
        final Sequence sequence;

        Pair(Precision precision, KvCache cache, int threads, CpuOptions.Kernels kernels) {
            backend = CpuBackend.open(CpuOptions.defaults()
                    .withPrecision(precision)
                    .withCache(cache)
                    .withThreads(threads)
                    .withKernels(kernels));
            try (Checkpoint checkpoint = HfFolder.open(TARGET);
                    HfFolder folder = HfFolder.open(FOLDER)) {
                target = LanguageModel.load(checkpoint, backend);
                network = BlockNetwork.load(folder, target, backend);
            }
            features = target.executable().features(network.taps());
            targetSequence = target.executable().newSequence();
            sequence = network.context().newSequence();
        }

        void extend(int[] ids, int from, int to) {
            int[] path = new int[to - from];
            Arrays.setAll(path, i -> i);
            int[] tokens = Arrays.copyOfRange(ids, from, to);
            assertTrue(
                    target.executable().run(new Chain(targetSequence, tokens, false, new float[0]), () -> false, null));
            float[] inputs = new float[path.length * features.width()];
            for (int row : path) {
                features.copy(row, inputs, row * features.width());
            }
            targetSequence.commit(path);
            assertTrue(
                    network.context().run(new Chain(sequence, new int[path.length], false, inputs), () -> false, null));
            sequence.commit(path);
        }

        float[][] draft(int last) {
            int[] block = new int[network.blockSize()];
            Arrays.fill(block, network.maskToken());
            block[0] = last;
            Executable executable = network.block();
            assertTrue(executable.run(new Chain(sequence, block, true, new float[0]), () -> false, null));
            float[][] logits = new float[block.length][VOCABULARY];
            for (int row = 0; row < block.length; row++) {
                executable.logits(row, logits[row]);
            }
            return logits;
        }

        @Override
        public void close() {
            sequence.close();
            network.close();
            target.close();
            backend.close();
        }
    }

    private record Chain(Sequence ofAll, int[] tokens, boolean wanted, float[] inputs) implements Batch {
        @Override
        public int size() {
            return tokens.length;
        }

        @Override
        public int token(int row) {
            return tokens[row];
        }

        @Override
        public Sequence sequence(int row) {
            return ofAll;
        }

        @Override
        public int parent(int row) {
            return row - 1;
        }

        @Override
        public Wanted wanted(int row) {
            return Wanted.logitsIf(wanted);
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void aBlockIsWhatTheReferenceComputes(Precision precision) throws IOException {
        int[] ids = TraceFile.in(TARGET).ids("ids");
        try (Pair pair = new Pair(precision, KvCache.F32, 2, CpuOptions.Kernels.AUTO)) {
            assertEquals(6, pair.network.blockSize());
            assertEquals(250, pair.network.maskToken());
            assertNotNull(pair.network.paths());
            int done = 0;
            for (int context : CONTEXTS) {
                pair.extend(ids, done, context);
                done = context;
                float[][] logits = pair.draft(ids[context]);
                float[] expected = TraceFile.read(FOLDER, TOLERANCE).floats("logits." + context);
                for (int row = 0; row < logits.length; row++) {
                    for (int token = 0; token < VOCABULARY; token++) {
                        float wanted = expected[row * VOCABULARY + token];
                        assertEquals(
                                wanted, logits[row][token], TOLERANCE, context + " row " + row + " token " + token);
                    }
                }
            }
        }
    }

    @Test
    void neitherStepsNorThreadsNorKernelsMatter() throws IOException {
        int[] ids = TraceFile.in(TARGET).ids("ids");
        float[][] expected;
        try (Pair pair = new Pair(Precision.FAST, KvCache.F16, 1, CpuOptions.Kernels.SCALAR)) {
            pair.extend(ids, 0, 62);
            expected = pair.draft(ids[62]);
        }
        try (Pair pair = new Pair(Precision.FAST, KvCache.F16, 2, CpuOptions.Kernels.AUTO)) {
            for (int i = 0; i < 62; i++) {
                pair.extend(ids, i, i + 1);
                if (i % 10 == 0) {
                    pair.draft(ids[i + 1]);
                }
            }
            assertArrayEquals(expected, pair.draft(ids[62]));
        }
    }

    private Path changed(UnaryOperator<String> config, UnaryOperator<String> header) throws IOException {
        Path folder = Files.createTempDirectory(copies, "speculator");
        Files.writeString(folder.resolve("config.json"), config.apply(Files.readString(FOLDER.resolve("config.json"))));
        // Latin 1 keeps every byte of the data.
        String file = new String(Files.readAllBytes(FOLDER.resolve("model.safetensors")), StandardCharsets.ISO_8859_1);
        Files.write(folder.resolve("model.safetensors"), header.apply(file).getBytes(StandardCharsets.ISO_8859_1));
        return folder;
    }

    private static <E extends UzuException> Map<String, String> refused(Class<E> error, Path folder) {
        try (CpuBackend backend = CpuBackend.open(CpuOptions.defaults().withThreads(1));
                Checkpoint checkpoint = HfFolder.open(TARGET);
                LanguageModel target = LanguageModel.load(checkpoint, backend);
                HfFolder speculator = HfFolder.open(folder)) {
            return assertThrows(error, () -> BlockNetwork.load(speculator, target, backend))
                    .details();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'\"has_sinks\": false', '\"has_sinks\": true', speculator_config.draft_config.layer_configs.0.mixer_config.has_sinks",
        "'\"block_size\": 6', '\"block_size\": 6, \"novelty\": 1', speculator_config.draft_config.novelty",
        "'\"subtract_mean\": false', '\"subtract_mean\": true', speculator_config.draft_config.context_norm_config.subtract_mean",
        "'\"YARNRoPEConfig\"', '\"SpiralRoPEConfig\"', speculator_config.draft_config.rope_config.type",
        "'\"mixer_conv_config\": null', '\"mixer_conv_config\": {}', speculator_config.draft_config.layer_configs.0.mixer_conv_config",
        "'\"DFlashSpeculatorConfig\"', '\"OtherSpeculatorConfig\"', speculator_config.type",
        "'\"candidate_pool_size\": 12', '\"candidate_pool_size\": 12, \"novelty\": 1', speculator_config.weaver_config.novelty",
    })
    void settingsThatArentKnownAreRefusedByName(String here, String other, String field) throws IOException {
        Path folder = changed(config -> replaced(config, here, other), header -> header);
        assertEquals(field, refused(UzuException.ModelUnsupported.class, folder).get("field"));
    }

    @ParameterizedTest
    @CsvSource({
        "'\"num_target_layers\": 3', '\"num_target_layers\": 4', num_target_layers",
        "'\"target_embedding_dim\": 64', '\"target_embedding_dim\": 32', target_embedding_dim",
        "'\"mask_token_id\": 250', '\"mask_token_id\": 256', speculator_config.draft_config.mask_token_id",
        "'\"target_layer_ids\"', '\"target_layers\"', speculator_config.draft_config.target_layer_ids",
        "'\"epsilon\": 1e-06', '\"epsilon\": -1', speculator_config.draft_config.context_norm_config.epsilon",
    })
    void settingsThatContradictAreRefusedByName(String here, String other, String field) throws IOException {
        Path folder = changed(config -> replaced(config, here, other), header -> header);
        assertEquals(field, refused(UzuException.ModelCorrupt.class, folder).get("field"));
    }

    @Test
    void tensorsThatAreMissingOrNotUsedAreRefusedByName() throws IOException {
        String name = "speculator.draft_model.output_norm.scales";
        Path folder = changed(config -> config, header -> replaced(header, name, name.replace("scales", "scalez")));
        assertEquals(name, refused(UzuException.TensorMissing.class, folder).get("tensor"));
        Path biased =
                changed(config -> replaced(config, "\"has_out_biases\": true", "\"has_out_biases\": false"), h -> h);
        assertEquals(
                "speculator.draft_model.layers.0.mixer.out_projection.biases",
                refused(UzuException.ModelUnsupported.class, biased).get("tensor"));
    }

    @Test
    void weightsThatAreStoredOtherwiseAreRefusedByName() throws IOException {
        String spec = "context_projection.weights.spec\": \"{\\\"type\\\": \\\"FullPrecisionSpec";
        Path folder = changed(c -> c, h -> replaced(h, spec, spec.replace("FullPrecisionSpec", "MicrofloatSpecXXX")));
        assertEquals(
                "speculator.draft_model.context_projection.weights",
                refused(UzuException.ModelUnsupported.class, folder).get("tensor"));
    }

    private static String replaced(String text, String here, String other) {
        assertTrue(text.contains(here), here);
        int at = text.indexOf(here);
        return text.substring(0, at) + other + text.substring(at + here.length());
    }
}
