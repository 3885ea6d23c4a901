package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.SamplingMethod;
import uzu.SamplingMethod.Stochastic;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Logits;
import uzu.backend.Sequence;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Gguf;
import uzu.format.HfFolder;
import uzu.model.FeatureNetwork;
import uzu.model.LanguageModel;
import uzu.speculate.DraftModel;
import uzu.speculate.Drafter;
import uzu.speculate.FeatureDrafter;
import uzu.speculate.PassCostStore;
import uzu.speculate.Speculation;

/** Networks draft for replies of a small checkpoint: the tokens stay those of plain decoding. */
@Timeout(120)
class NetworkSpeculationTest extends ToyConversations {
    private static final Path RESOURCES = Path.of("src/test/resources");

    private final HfFolder checkpoint = HfFolder.open(RESOURCES.resolve("checkpoints/llama"));
    private final CpuBackend backend = CpuBackend.open(CpuOptions.defaults().withMaxRows(48));
    private final LanguageModel model = LanguageModel.load(checkpoint, backend);
    private final FeatureDrafter drafter = new FeatureDrafter(network());
    private final AtomicLong now = new AtomicLong();
    private final Instance instance = new Instance(
            new Clocked(model.executable(), now),
            tokenizer,
            model.vocabularySize(),
            new int[] {ToyTokenizer.END},
            PassCostStore.NONE,
            now::get);

    private FeatureNetwork network() {
        try (Gguf file = Gguf.open(RESOURCES.resolve("network/network.gguf"))) {
            return FeatureNetwork.load(file, model, 0xfeedfeedfeedfeedL, backend);
        }
    }

    @AfterEach
    void close() {
        instance.close();
        drafter.close();
        model.close();
        backend.close();
        checkpoint.close();
    }

    /** Two turns of each of two conversations at a time, the second turn after another prompt of the same beginning. */
    private List<String> texts(Speculation speculation, SamplingMethod method) {
        List<String> texts = new ArrayList<>();
        Context first = instance.newContext();
        Context second = instance.newContext();
        for (String prompt : List.of(PROMPT, PROMPT + " and then", PROMPT.substring(0, 20) + " was over")) {
            Output one = start(
                    instance,
                    first,
                    request(prompt).method(method).seed(7).limit(40).speculation(speculation));
            Output two = start(
                    instance,
                    second,
                    request("Well. " + prompt).method(method).seed(8).limit(40).speculation(speculation));
            texts.add(rest(one).text());
            texts.add(rest(two).text());
        }
        instance.release(first);
        instance.release(second);
        return texts;
    }

    @Test
    void repliesAreThoseOfPlainDecodingWithAFeatureNetwork() {
        assertPlain(drafter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "qwen3"})
    void repliesAreThoseOfPlainDecodingWithADraftModel(String family) {
        try (HfFolder other = HfFolder.open(RESOURCES.resolve("checkpoints").resolve(family))) {
            LanguageModel small = LanguageModel.load(other, backend);
            try (DraftModel model = new DraftModel(small.executable(), small.vocabularySize(), 256, small::close)) {
                assertPlain(model);
            }
        }
    }

    private void assertPlain(Drafter drafter) {
        for (SamplingMethod method : List.of(
                new SamplingMethod.Greedy(),
                Stochastic.create().withTemperature(0.7),
                Stochastic.create().withTemperature(1.2).withTopP(0.95))) {
            AtomicInteger proposed = new AtomicInteger();
            Speculation on = new Speculation(List.of(new FreeDrafter(drafter, proposed)), 8);
            assertEquals(texts(Speculation.off(), method), texts(on, method), "" + method);
            assertTrue(proposed.get() > 100, proposed + " proposals");
        }
    }

    /** Its passes take a millisecond, and nothing else takes any time, so that drafts always pay. */
    private record Clocked(Executable executable, AtomicLong now) implements Executable {
        @Override
        public int maxRows() {
            return executable.maxRows();
        }

        @Override
        public Sequence newSequence() {
            return executable.newSequence();
        }

        @Override
        public boolean run(Batch batch, BooleanSupplier cancelled, @Nullable Tracer tracer) {
            now.addAndGet(1_000_000);
            return executable.run(batch, cancelled, tracer);
        }

        @Override
        public int best(int row) {
            return executable.best(row);
        }

        @Override
        public void logits(int row, float[] into) {
            executable.logits(row, into);
        }

        @Override
        public Logits logits(int row) {
            return executable.logits(row);
        }

        @Override
        public boolean improve(BooleanSupplier cancelled) {
            return executable.improve(cancelled);
        }

        @Override
        public long weightBytes() {
            return executable.weightBytes();
        }

        @Override
        public long memoryBytes() {
            return executable.memoryBytes();
        }

        @Override
        public void close() {
            executable.close();
        }
    }
}
