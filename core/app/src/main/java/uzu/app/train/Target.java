package uzu.app.train;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Checkpoint;
import uzu.format.Gguf;
import uzu.format.HfFolder;
import uzu.model.LanguageModel;
import uzu.tokenizer.Tokenizer;

/** The model that drafters are trained for, ready to run. */
final class Target implements AutoCloseable {
    private final CpuBackend backend;
    private final Checkpoint checkpoint;
    private final LanguageModel model;
    private final Tokenizer tokenizer;
    private final @Nullable String template;

    private Target(
            CpuBackend backend,
            Checkpoint checkpoint,
            LanguageModel model,
            Tokenizer tokenizer,
            @Nullable String template) {
        this.backend = backend;
        this.checkpoint = checkpoint;
        this.model = model;
        this.tokenizer = tokenizer;
        this.template = template;
    }

    /** @param path a GGUF file or a model folder */
    static Target open(Path path, int threads) {
        CpuBackend backend = CpuBackend.open(CpuOptions.defaults().withThreads(threads));
        Checkpoint checkpoint = checkpoint(path);
        LanguageModel model = LanguageModel.load(checkpoint, backend);
        String template = switch (checkpoint) {
            case Gguf gguf -> gguf.metadata().stringOr("tokenizer.chat_template", null);
            case HfFolder folder -> folder.chatTemplate();
        };
        return new Target(backend, checkpoint, model, tokenizer(checkpoint), template);
    }

    static Checkpoint checkpoint(Path path) {
        return Files.isDirectory(path) ? HfFolder.open(path) : Gguf.open(path);
    }

    static Tokenizer tokenizer(Checkpoint checkpoint) {
        return switch (checkpoint) {
            case Gguf gguf -> Tokenizer.of(gguf.metadata());
            case HfFolder folder -> Tokenizer.of(folder.tokenizer(), folder.tokenizerConfig());
        };
    }

    LanguageModel model() {
        return model;
    }

    Checkpoint checkpoint() {
        return checkpoint;
    }

    Tokenizer tokenizer() {
        return tokenizer;
    }

    /** Ids that may be drawn are below. */
    int vocabulary() {
        return Math.min(model.vocabularySize(), tokenizer.size());
    }

    Turns turns() {
        if (template == null) {
            throw new UzuException.ModelUnsupported(
                    "the model has no chat template, so no dialogues can be written with it", Map.of());
        }
        int[] ends = IntStream.concat(
                        Arrays.stream(model.endOfGeneration()), Arrays.stream(tokenizer.endOfGeneration()))
                .distinct()
                .toArray();
        return Turns.of(template, tokenizer, ends);
    }

    @Override
    public void close() {
        model.close();
        checkpoint.close();
        backend.close();
    }
}
