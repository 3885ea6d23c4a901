package uzu.engine;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.SamplingMethod;
import uzu.UzuException;
import uzu.format.Checkpoint;
import uzu.format.Gguf;
import uzu.format.HfFolder;
import uzu.format.Metadata;
import uzu.tokenizer.Tokenizer;

/**
 * All that a model's files say beside its weights.
 *
 * @param contextLength positions the model was made for
 * @param recommended the sampling its makers recommend
 */
record ModelFiles(Tokenizer tokenizer, Prompts prompts, int contextLength, SamplingMethod recommended) {
    /** Opens a GGUF file or model folder. */
    static Checkpoint open(Path path) {
        if (!Files.exists(path)) {
            throw new UzuException.ModelNotFound("there is no file or folder " + path, Map.of("path", path.toString()));
        }
        return Files.isDirectory(path) ? HfFolder.open(path) : Gguf.open(path);
    }

    /** When the file, or the folder or a file in it, was last changed, in milliseconds; 0 where there is none. */
    static long modified(Path path) {
        long latest = path.toFile().lastModified();
        File[] inside = path.toFile().listFiles();
        if (inside != null) {
            for (File file : inside) {
                latest = Math.max(latest, file.lastModified());
            }
        }
        return latest;
    }

    /** @param usual the sampling where the files recommend none */
    static ModelFiles read(Checkpoint checkpoint, SamplingMethod usual) {
        return switch (checkpoint) {
            case Gguf gguf -> of(gguf.metadata(), usual);
            case HfFolder folder -> of(folder, usual);
        };
    }

    private static ModelFiles of(Metadata metadata, SamplingMethod usual) {
        Tokenizer tokenizer = Tokenizer.of(metadata);
        Prompts prompts = new Prompts(tokenizer, metadata.stringOr("tokenizer.chat_template", null));
        String key = metadata.string("general.architecture") + ".context_length";
        return new ModelFiles(tokenizer, prompts, length(metadata.integer(key), key), Recommended.of(metadata, usual));
    }

    private static ModelFiles of(HfFolder folder, SamplingMethod usual) {
        Tokenizer tokenizer = Tokenizer.of(folder.tokenizer(), folder.tokenizerConfig());
        Prompts prompts = new Prompts(tokenizer, folder.chatTemplate());
        String key = "max_position_embeddings";
        JsonNode length = textConfig(folder.config()).get(key);
        if (length == null || !length.canConvertToLong()) {
            throw new UzuException.ModelCorrupt("config.json has no " + key, Map.of("field", key));
        }
        return new ModelFiles(
                tokenizer, prompts, length(length.longValue(), key), Recommended.of(folder.generationConfig(), usual));
    }

    private static JsonNode textConfig(JsonNode config) {
        @Nullable JsonNode text = config.get("text_config");
        return text == null ? config : text;
    }

    private static int length(long value, String key) {
        if (value < 1 || value > Integer.MAX_VALUE) {
            throw new UzuException.ModelCorrupt(
                    key + " is " + value, Map.of("field", key, "value", Long.toString(value)));
        }
        return (int) value;
    }
}
