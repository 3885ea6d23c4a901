package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.CancelToken;
import uzu.ChatReplyFinishReason;
import uzu.SamplingMethod.Stochastic;
import uzu.UzuException;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.HfFolder;
import uzu.model.LanguageModel;
import uzu.speculate.Constraint;
import uzu.speculate.Speculation;

/** The same seed gives the same bytes on the real backend, with models of every family. */
@Timeout(120)
class CpuInstanceTest {
    private static final String PROMPT = "A prompt of some length, so that it is computed in several chunks or in one.";
    private final ToyTokenizer tokenizer = new ToyTokenizer();

    @ParameterizedTest
    @ValueSource(strings = {"llama", "llama3_rope", "qwen2", "qwen3", "gemma3"})
    void theSameSeedGivesTheSameTextHoweverItIsComputed(String family) throws Exception {
        List<Integer> expected = on(family, 1, 256, (instance) -> tokens(instance, instance.newContext(), PROMPT));
        for (int threads : new int[] {1, 2}) {
            for (int maxRows : new int[] {1, 7, 256}) {
                String how = threads + " threads, " + maxRows + " rows a pass";
                assertEquals(
                        expected,
                        on(family, threads, maxRows, instance -> {
                            Context used = instance.newContext();
                            tokens(instance, used, PROMPT.substring(0, 40) + "something else altogether");
                            return tokens(instance, used, PROMPT);
                        }),
                        how + ", prefix reused");
                assertEquals(
                        expected,
                        on(family, threads, maxRows, instance -> {
                            start(instance, instance.newContext(), "a neighbour", 2);
                            Output output = start(instance, instance.newContext(), PROMPT, 1);
                            start(instance, instance.newContext(), PROMPT + " of another neighbour", 3);
                            return tokens(output);
                        }),
                        how + ", among neighbours");
            }
        }
    }

    private interface Use {
        List<Integer> of(Instance instance);
    }

    private List<Integer> on(String family, int threads, int maxRows, Use use) throws URISyntaxException {
        Path folder = Path.of(Objects.requireNonNull(getClass().getResource("/checkpoints/" + family))
                .toURI());
        CpuOptions options = CpuOptions.defaults().withThreads(threads).withMaxRows(maxRows);
        try (HfFolder checkpoint = HfFolder.open(folder);
                CpuBackend backend = CpuBackend.open(options);
                LanguageModel model = LanguageModel.load(checkpoint, backend);
                Instance instance = new Instance(model.executable(), tokenizer, model.vocabularySize(), new int[0])) {
            return use.of(instance);
        }
    }

    private List<Integer> tokens(Instance instance, Context context, String prompt) {
        return tokens(start(instance, context, prompt, 1));
    }

    private static List<Integer> tokens(Output output) {
        List<Integer> tokens = new ArrayList<>();
        Objects.requireNonNull(output.rest()).logprobs().forEach(l -> tokens.add(l.token()));
        assertEquals(40, tokens.size());
        return tokens;
    }

    private Output start(Instance instance, Context context, String prompt, long seed) {
        Request request = new Request(
                tokenizer.encode(prompt, false),
                Stochastic.create().withTemperature(1.2).withTopP(0.98),
                seed,
                40,
                4096,
                List.of(),
                Set.of(),
                0,
                Speculation.off(),
                Constraint.NONE,
                CancelToken.create(),
                System.nanoTime());
        return instance.generate(context, request, new EndListener() {
            @Override
            public void finished(String text, ChatReplyFinishReason reason) {}

            @Override
            public void failed(UzuException error) {}
        });
    }
}
