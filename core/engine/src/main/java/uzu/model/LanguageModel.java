package uzu.model;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.UzuException;
import uzu.backend.Backend;
import uzu.backend.Executable;
import uzu.backend.Features;
import uzu.backend.Weight;
import uzu.format.Checkpoint;
import uzu.format.Gguf;
import uzu.format.HfFolder;
import uzu.format.Metadata;

/** A model ready to run: its weights are on a backend, its program is prepared. The checkpoint may be closed. */
public final class LanguageModel implements AutoCloseable {
    private static final List<Family> FAMILIES = List.of(new Llama(), new Qwen2(), new Qwen3(), new Gemma3());

    private final String architecture;
    private final Decoder decoder;
    private final int[] endOfGeneration;
    private final Executable executable;

    private LanguageModel(String architecture, Decoder decoder, int[] endOfGeneration, Executable executable) {
        this.architecture = architecture;
        this.decoder = decoder;
        this.endOfGeneration = endOfGeneration;
        this.executable = executable;
    }

    /**
     * @throws UzuException.ModelUnsupported for an architecture, setting or tensor that isn't known
     * @throws UzuException.ModelCorrupt for one that contradicts the others
     */
    public static LanguageModel load(Checkpoint checkpoint, Backend backend) {
        String architecture = architecture(checkpoint);
        Family family = family(architecture);
        Decoder decoder = switch (checkpoint) {
            case Gguf gguf -> {
                Settings settings = new GgufSettings(gguf.metadata(), architecture);
                yield read(
                        family,
                        settings,
                        checkpoint,
                        backend,
                        TensorNames.gguf(family.ggufNames()),
                        Family.Source.GGUF);
            }
            case HfFolder folder -> {
                Settings settings = new HfSettings(folder.config());
                UnaryOperator<String> names =
                        TensorNames.published(folder.tensors().keySet());
                yield read(family, settings, checkpoint, backend, names, Family.Source.HUGGING_FACE);
            }
        };
        return new LanguageModel(
                architecture, decoder, endOfGeneration(checkpoint), backend.prepare(decoder.program()));
    }

    private static Decoder read(
            Family family,
            Settings settings,
            Checkpoint checkpoint,
            Backend backend,
            UnaryOperator<String> names,
            Family.Source source) {
        Weights weights = new Weights(checkpoint, backend, names);
        Decoder decoder = family.read(settings, weights, source);
        weights.finish();
        return decoder;
    }

    private static String architecture(Checkpoint checkpoint) {
        return switch (checkpoint) {
            case Gguf gguf -> gguf.metadata().string("general.architecture");
            case HfFolder folder -> {
                JsonNode type = folder.config().get("model_type");
                if (type == null || !type.isString()) {
                    throw new UzuException.ModelCorrupt(
                            "config.json doesn't say its model_type", Map.of("field", "model_type"));
                }
                yield type.asString();
            }
        };
    }

    private static Family family(String architecture) {
        for (Family family : FAMILIES) {
            if (family.names().contains(architecture)) {
                return family;
            }
        }
        String known =
                FAMILIES.stream().flatMap(f -> f.names().stream()).sorted().collect(Collectors.joining(", "));
        throw new UzuException.ModelUnsupported(
                "architecture " + architecture + " isn't supported; supported: " + known,
                Map.of("architecture", architecture));
    }

    private static int[] endOfGeneration(Checkpoint checkpoint) {
        Set<Integer> ids = new LinkedHashSet<>();
        switch (checkpoint) {
            case Gguf gguf -> {
                Metadata metadata = gguf.metadata();
                for (String key : List.of("eos_token_id", "eot_token_id", "eom_token_id")) {
                    long id = metadata.integerOr("tokenizer.ggml." + key, -1);
                    if (id >= 0 && id <= Integer.MAX_VALUE) {
                        ids.add((int) id);
                    }
                }
            }
            case HfFolder folder -> {
                addIds(ids, folder.config().get("eos_token_id"));
                JsonNode generation = folder.generationConfig();
                addIds(ids, generation == null ? null : generation.get("eos_token_id"));
            }
        }
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    private static void addIds(Set<Integer> ids, @Nullable JsonNode node) {
        if (node == null) {
            return;
        }
        if (node.canConvertToInt()) {
            ids.add(node.asInt());
        }
        for (JsonNode id : node) {
            if (id.canConvertToInt()) {
                ids.add(id.asInt());
            }
        }
    }

    /** The family's name as its file gives it: {@code llama}, {@code qwen2}, … */
    public String architecture() {
        return architecture;
    }

    Decoder decoder() {
        return decoder;
    }

    /** Columns of the logits. */
    public int vocabularySize() {
        return decoder.vocabulary();
    }

    /** Positions the model was made for. */
    public int contextLength() {
        return decoder.contextLength();
    }

    /** Columns of the embedding, and numbers of a row between layers. */
    public int hiddenSize() {
        return decoder.embedding().columns();
    }

    /** Decoder layers. */
    public int layers() {
        return decoder.blocks().size();
    }

    /** [vocabulary, hidden], as stored: not scaled. Its backend's other programs may use it while the model is open. */
    public Weight embedding() {
        return decoder.embedding();
    }

    /** [vocabulary, hidden]: logits are its product with the normed hidden row, as is {@link #embedding} where tied. */
    public Weight readout() {
        return decoder.head().weight();
    }

    /**
     * What later passes keep of the outputs of some layers, next to each other.
     *
     * @param layers counted from 0
     * @throws UzuException.InvalidArgument when there is no such layer
     */
    public Features features(int... layers) {
        return executable.features(
                IntStream.of(layers).mapToObj(layer -> "layer." + layer).toList());
    }

    /** Ids that end a reply according to the model's configuration; its tokenizer may know more. */
    public int[] endOfGeneration() {
        return endOfGeneration.clone();
    }

    public Executable executable() {
        return executable;
    }

    @Override
    public void close() {
        executable.close();
    }
}
