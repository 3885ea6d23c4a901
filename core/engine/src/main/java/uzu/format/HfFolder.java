package uzu.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.UzuException;

/**
 * A model folder as it is published on the Hugging Face hub: {@code config.json}, {@code tokenizer.json}, and the
 * weights as {@code model.safetensors} or as shards listed by {@code model.safetensors.index.json}.
 */
public final class HfFolder implements Checkpoint {
    private static final String WEIGHTS = "model.safetensors";
    private static final String INDEX = "model.safetensors.index.json";
    private static final String CONFIG = "config.json";
    private static final long MAX_TEMPLATE_BYTES = 4L << 20;

    private final Path folder;
    private final JsonNode config;
    private final SharedArena arena;
    private final Map<String, Tensor> tensors;
    private final Map<String, String> metadata;

    private HfFolder(
            Path folder,
            JsonNode config,
            SharedArena arena,
            Map<String, Tensor> tensors,
            Map<String, String> metadata) {
        this.folder = folder;
        this.config = config;
        this.arena = arena;
        this.tensors = tensors;
        this.metadata = metadata;
    }

    /** Whether the path is a folder with a {@code config.json}. */
    public static boolean isOne(Path path) {
        return Files.isRegularFile(path.resolve(CONFIG));
    }

    /**
     * Opens a folder, checking the headers of its weights.
     *
     * @throws UzuException.ModelNotFound when the folder or a file it needs is missing
     * @throws UzuException.ModelCorrupt naming the file and tensor at fault
     * @throws UzuException.ModelUnsupported when the weights are of another kind, or a tensor of an unsupported type
     */
    public static HfFolder open(Path folder) {
        if (!isOne(folder)) {
            throw missing(folder, CONFIG);
        }
        JsonNode config = JsonFiles.object(folder.resolve(CONFIG));
        SharedArena arena = new SharedArena();
        try {
            Map<String, String> metadata = new LinkedHashMap<>();
            Map<String, Tensor> tensors = Collections.unmodifiableMap(weights(folder, arena, metadata));
            return new HfFolder(folder, config, arena, tensors, Collections.unmodifiableMap(metadata));
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    public JsonNode config() {
        return config;
    }

    public @Nullable JsonNode generationConfig() {
        return optional("generation_config.json");
    }

    public @Nullable JsonNode tokenizerConfig() {
        return optional("tokenizer_config.json");
    }

    /**
     * The tokenizer's file.
     *
     * @throws UzuException.ModelNotFound when the folder has none
     */
    public Path tokenizer() {
        Path path = folder.resolve("tokenizer.json");
        if (!Files.isRegularFile(path)) {
            throw missing(folder, "tokenizer.json");
        }
        return path;
    }

    /** The chat template, from its own file or from {@code tokenizer_config.json}; of several, the default one. */
    public @Nullable String chatTemplate() {
        Path file = folder.resolve("chat_template.jinja");
        if (Files.isRegularFile(file)) {
            return text(file);
        }
        JsonNode holder = optional("chat_template.json");
        if (holder == null) {
            holder = tokenizerConfig();
        }
        JsonNode template = holder == null ? null : holder.get("chat_template");
        if (template == null || template.isNull()) {
            return null;
        }
        if (template.isString()) {
            return template.stringValue();
        }
        for (JsonNode named : template) {
            if (named.path("name").asString("").equals("default")
                    && named.path("template").isString()) {
                return named.path("template").stringValue();
            }
        }
        throw corrupt(folder, "chat_template is neither a text nor a list with a default", "chat_template");
    }

    /** What the weights' headers say beside the tensors: how exported matrices are stored, the program that wrote them. */
    public Map<String, String> metadata() {
        return metadata;
    }

    @Override
    public Map<String, Tensor> tensors() {
        return tensors;
    }

    @Override
    public void close() {
        arena.close();
    }

    private static Map<String, Tensor> weights(Path folder, SharedArena arena, Map<String, String> metadata) {
        if (Files.isRegularFile(folder.resolve(WEIGHTS))) {
            return Safetensors.read(folder.resolve(WEIGHTS), arena, metadata);
        }
        if (Files.isRegularFile(folder.resolve(INDEX))) {
            return shards(folder, shardOfTensor(folder.resolve(INDEX)), arena, metadata);
        }
        for (String other : new String[] {"pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5"}) {
            if (Files.exists(folder.resolve(other))) {
                throw new UzuException.ModelUnsupported(
                        folder + ": only safetensors weights are read, not " + other,
                        Map.of("path", folder.toString(), "file", other));
            }
        }
        throw missing(folder, WEIGHTS);
    }

    private static Map<String, String> shardOfTensor(Path index) {
        JsonNode map = JsonFiles.object(index).path("weight_map");
        if (!map.isObject()) {
            throw corrupt(index, "has no weight_map", "weight_map");
        }
        Map<String, String> shards = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : map.properties()) {
            String shard = entry.getValue().isString() ? entry.getValue().stringValue() : "";
            // A shard lies in the folder itself: an index must not reach for other files of the machine.
            if (!shard.endsWith(".safetensors") || shard.contains("/") || shard.contains("\\")) {
                throw corrupt(index, "places the tensor " + entry.getKey() + " in an impossible file", entry.getKey());
            }
            shards.put(entry.getKey(), shard);
        }
        return shards;
    }

    private static Map<String, Tensor> shards(
            Path folder, Map<String, String> shardOfTensor, SharedArena arena, Map<String, String> metadata) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (String shard : new TreeSet<>(shardOfTensor.values())) {
            Path path = folder.resolve(shard);
            if (!Files.isRegularFile(path)) {
                throw missing(folder, shard);
            }
            for (Tensor tensor : Safetensors.read(path, arena, metadata).values()) {
                if (!shard.equals(shardOfTensor.get(tensor.name()))) {
                    throw corrupt(path, "holds a tensor that the index doesn't place there", tensor.name());
                }
                tensors.put(tensor.name(), tensor);
            }
        }
        for (Map.Entry<String, String> entry : shardOfTensor.entrySet()) {
            if (!tensors.containsKey(entry.getKey())) {
                throw corrupt(folder.resolve(entry.getValue()), "lacks a tensor of the index", entry.getKey());
            }
        }
        return tensors;
    }

    private @Nullable JsonNode optional(String name) {
        Path path = folder.resolve(name);
        return Files.isRegularFile(path) ? JsonFiles.object(path) : null;
    }

    private static String text(Path path) {
        try {
            if (Files.size(path) > MAX_TEMPLATE_BYTES) {
                throw corrupt(path, "is over the size limit", path.toString());
            }
            return Files.readString(path);
        } catch (IOException e) {
            throw new UzuException.ModelCorrupt(
                    path + ": can't be read as text: " + e.getMessage(), Map.of("path", path.toString()), e);
        }
    }

    private static UzuException missing(Path folder, String file) {
        return new UzuException.ModelNotFound(
                folder + ": no " + file + " there", Map.of("path", folder.toString(), "file", file));
    }

    private static UzuException corrupt(Path path, String message, String tensor) {
        return new UzuException.ModelCorrupt(
                path + ": " + message + ": " + tensor, Map.of("path", path.toString(), "tensor", tensor));
    }
}
