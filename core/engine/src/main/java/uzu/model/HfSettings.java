package uzu.model;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.UzuException;

/** Settings from config.json; of a multimodal model, those of its {@code text_config}. */
final class HfSettings implements Settings {
    /** Fields of training, of generation defaults and of other programs. */
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            "architectures",
            "model_type",
            "torch_dtype",
            "dtype",
            "transformers_version",
            "attention_dropout",
            "hidden_dropout",
            "initializer_range",
            "use_cache",
            "bos_token_id",
            "eos_token_id",
            "pad_token_id",
            "tie_word_embeddings",
            "vocab_size",
            "max_window_layers",
            "cache_implementation",
            "transformers.js_config",
            "is_llama_config",
            "unsloth_fixed",
            "unsloth_version");

    private final JsonNode config;
    private final Set<String> asked = new HashSet<>();

    HfSettings(JsonNode root) {
        this.config = root.has("text_config") ? root.get("text_config") : root;
    }

    private @Nullable JsonNode field(@Nullable String field) {
        if (field == null) {
            return null;
        }
        asked.add(field);
        JsonNode value = config.get(field);
        return value == null || value.isNull() ? null : value;
    }

    @Override
    public int count(@Nullable String field, @Nullable String key, int most) {
        JsonNode value = field(field);
        if (value == null) {
            throw corrupt(String.valueOf(field), "is missing in config.json");
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.asInt() < 1 || value.asInt() > most) {
            throw corrupt(String.valueOf(field), "is " + value + "; expected 1 to " + most);
        }
        return value.asInt();
    }

    @Override
    public int countOr(@Nullable String field, @Nullable String key, int most, int otherwise) {
        return field(field) == null ? otherwise : count(field, key, most);
    }

    @Override
    public double numberOr(@Nullable String field, @Nullable String key, double otherwise) {
        JsonNode value = field(field);
        if (value == null) {
            return otherwise;
        }
        if (!value.isNumber() || !Double.isFinite(value.asDouble())) {
            throw corrupt(String.valueOf(field), "is " + value + "; expected a number");
        }
        return value.asDouble();
    }

    @Override
    public boolean boolOr(@Nullable String field, @Nullable String key, boolean otherwise) {
        JsonNode value = field(field);
        if (value == null) {
            return otherwise;
        }
        if (!value.isBoolean()) {
            throw corrupt(String.valueOf(field), "is " + value + "; expected true or false");
        }
        return value.asBoolean();
    }

    @Override
    public @Nullable String stringOr(@Nullable String field, @Nullable String key, @Nullable String otherwise) {
        JsonNode value = field(field);
        if (value == null) {
            return otherwise;
        }
        if (!value.isString()) {
            throw corrupt(String.valueOf(field), "is " + value + "; expected a string");
        }
        return value.asString();
    }

    @Override
    public String @Nullable [] strings(String field) {
        JsonNode value = field(field);
        if (value == null) {
            return null;
        }
        if (!value.isArray()) {
            throw corrupt(field, "is not a list");
        }
        return StreamSupport.stream(value.spliterator(), false)
                .map(JsonNode::asString)
                .toArray(String[]::new);
    }

    /**
     * Older files: rope_theta and rope_scaling; newer ones: rope_parameters, for each kind of layer where they differ.
     */
    @Override
    public RopeSettings rope(boolean local) {
        JsonNode parameters = field("rope_parameters");
        if (parameters == null) {
            if (local) {
                return new RopeSettings(
                        numberOr("rope_local_base_freq", null, 10_000), new RopeSettings.Scaling.None());
            }
            double base = numberOr("rope_theta", null, 10_000);
            JsonNode scaling = field("rope_scaling");
            return new RopeSettings(
                    base, scaling == null ? new RopeSettings.Scaling.None() : scaling("rope_scaling", scaling));
        }
        String kind = local ? "sliding_attention" : "full_attention";
        if (parameters.has("full_attention") || parameters.has("sliding_attention")) {
            parameters = parameters.get(kind);
            if (parameters == null || !parameters.isObject()) {
                throw corrupt("rope_parameters." + kind, "is missing in config.json");
            }
        }
        asked.add("rope_theta");
        asked.add("rope_scaling");
        double base =
                parameters.has("rope_theta") ? parameters.get("rope_theta").asDouble(Double.NaN) : 10_000;
        if (!(base > 0)) {
            throw corrupt("rope_parameters.rope_theta", "is not a positive number");
        }
        return new RopeSettings(base, scaling("rope_parameters", parameters));
    }

    private RopeSettings.Scaling scaling(String field, JsonNode node) {
        JsonNode named = node.has("rope_type") ? node.get("rope_type") : node.get("type");
        String type = named == null ? "default" : named.asString("");
        return switch (type) {
            case "default" -> new RopeSettings.Scaling.None();
            case "linear" -> new RopeSettings.Scaling.Linear(positive(field, node, "factor"));
            case "llama3" ->
                new RopeSettings.Scaling.Llama3(
                        positive(field, node, "factor"),
                        positive(field, node, "low_freq_factor"),
                        positive(field, node, "high_freq_factor"),
                        (int) positive(field, node, "original_max_position_embeddings"));
            default -> throw unsupported(field + ".rope_type", null, type, "default, linear, llama3");
        };
    }

    private static double positive(String field, JsonNode node, String name) {
        JsonNode value = node.get(name);
        if (value == null || !value.isNumber() || !(value.asDouble() > 0)) {
            throw corrupt(field + "." + name, "must be a positive number");
        }
        return value.asDouble();
    }

    @Override
    public void ignore(Set<String> names) {
        asked.addAll(names);
    }

    @Override
    public void finish() {
        for (Map.Entry<String, JsonNode> entry : config.properties()) {
            String name = entry.getKey();
            if (!asked.contains(name)
                    && !WITHOUT_EFFECT.contains(name)
                    && !name.startsWith("_")
                    && !isNothing(entry.getValue())) {
                throw new UzuException.ModelUnsupported(
                        "config.json sets " + name + ", which this version doesn't know", Map.of("field", name));
            }
        }
    }

    private static boolean isNothing(JsonNode value) {
        return value.isNull()
                || (value.isBoolean() && !value.asBoolean())
                || (value.isContainer() && value.isEmpty())
                || (value.isString() && value.asString().isEmpty());
    }

    @Override
    public boolean normsIncludeOne() {
        return false;
    }

    @Override
    public UzuException.ModelUnsupported unsupported(
            String field, @Nullable String key, String found, String expected) {
        return new UzuException.ModelUnsupported(
                field + " is " + found + "; supported: " + expected, Map.of("field", field));
    }

    private static UzuException.ModelCorrupt corrupt(String field, String problem) {
        return new UzuException.ModelCorrupt(field + " " + problem, Map.of("field", field));
    }
}
