package uzu.bridge;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.BackendChoice;
import uzu.ChatConfig;
import uzu.ChatReplyConfig;
import uzu.ContextLength;
import uzu.EngineConfig;
import uzu.KvCache;
import uzu.Precision;
import uzu.SamplingMethod;
import uzu.SamplingPolicy;
import uzu.SamplingSeed;
import uzu.UzuException;

/** Configurations from JSON; what a field leaves out keeps its default. */
final class ConfigJson {
    private ConfigJson() {}

    static EngineConfig engine(@Nullable String json) {
        EngineConfig config = EngineConfig.create();
        if (json == null) {
            return config;
        }
        Fields fields = new Fields(
                "engine config",
                Json.parse(json),
                "local_path",
                "cache_path",
                "precision",
                "backend",
                "threads",
                "offline");
        String localPath = fields.text("local_path");
        if (fields.has("local_path")) {
            config = config.withLocalPath(localPath == null ? null : path("local_path", localPath));
        }
        String cachePath = fields.text("cache_path");
        if (cachePath != null) {
            config = config.withCachePath(path("cache_path", cachePath));
        }
        return config.withPrecision(or(fields.choice("precision", Precision.class), config.precision()))
                .withBackend(or(fields.choice("backend", BackendChoice.class), config.backend()))
                .withThreads(or(fields.integer("threads"), config.threads()))
                .withOffline(or(fields.flag("offline"), config.offline()));
    }

    static ChatConfig chat(@Nullable String json) {
        ChatConfig config = ChatConfig.create();
        if (json == null) {
            return config;
        }
        Fields fields = new Fields(
                "chat config",
                Json.parse(json),
                "context_length",
                "sampling_seed",
                "speculation_preset",
                "kv_cache",
                "message_format");
        JsonNode length = fields.get("context_length");
        JsonNode seed = fields.get("sampling_seed");
        JsonNode preset = fields.get("speculation_preset");
        return new ChatConfig(
                length == null ? config.contextLength() : contextLength(length),
                seed == null ? config.samplingSeed() : samplingSeed(seed),
                preset == null ? config.speculationPreset() : SpeculationJson.preset(preset),
                or(fields.choice("kv_cache", KvCache.class), config.kvCache()),
                fields.text("message_format"));
    }

    static ChatReplyConfig reply(@Nullable String json) {
        ChatReplyConfig config = ChatReplyConfig.create();
        if (json == null) {
            return config;
        }
        Fields fields = new Fields(
                "reply config",
                Json.parse(json),
                "token_limit",
                "sampling",
                "grammar",
                "lenient",
                "tool_choice",
                "parallel_tool_calls",
                "tool_turn_limit",
                "reasoning_token_limit",
                "stop",
                "seed",
                "logprobs");
        JsonNode sampling = fields.get("sampling");
        JsonNode grammar = fields.get("grammar");
        JsonNode toolChoice = fields.get("tool_choice");
        return config.withTokenLimit(fields.integer("token_limit"))
                .withSamplingPolicy(sampling == null ? config.samplingPolicy() : samplingPolicy(sampling))
                .withGrammar(grammar == null ? null : GrammarJson.grammar(grammar))
                .withLenient(or(fields.flag("lenient"), config.lenient()))
                .withToolChoice(toolChoice == null ? config.toolChoice() : ToolJson.choice(toolChoice))
                .withParallelToolCalls(or(fields.flag("parallel_tool_calls"), config.parallelToolCalls()))
                .withToolTurnLimit(or(fields.integer("tool_turn_limit"), config.toolTurnLimit()))
                .withReasoningTokenLimit(fields.integer("reasoning_token_limit"))
                .withStop(texts("stop", fields.get("stop")))
                .withSeed(fields.seed("seed"))
                .withLogprobs(fields.integer("logprobs"));
    }

    private static ContextLength contextLength(JsonNode node) {
        if (node.isIntegralNumber() && node.canConvertToInt()) {
            return new ContextLength.Custom(node.intValue());
        }
        return switch (node.isString() ? node.stringValue() : "") {
            case "default" -> new ContextLength.Default();
            case "maximal" -> new ContextLength.Maximal();
            default -> throw Fields.wrong("context_length", "\"default\", \"maximal\" or a number of tokens", node);
        };
    }

    private static SamplingSeed samplingSeed(JsonNode node) {
        if (node.isString() && node.stringValue().equals("default")) {
            return new SamplingSeed.Default();
        }
        return new SamplingSeed.Custom(Fields.seed("sampling_seed", node));
    }

    private static SamplingPolicy samplingPolicy(JsonNode node) {
        if (node.isString() && node.stringValue().equals("default")) {
            return new SamplingPolicy.Default();
        }
        Fields fields = new Fields(
                "sampling",
                node,
                "method",
                "temperature",
                "top_k",
                "top_p",
                "min_p",
                "repetition_penalty",
                "suffix_repetition_length",
                "presence_penalty",
                "frequency_penalty",
                "logit_bias");
        String method = fields.needText("method");
        return new SamplingPolicy.Custom(
                switch (method) {
                    case "greedy" -> new SamplingMethod.Greedy();
                    case "stochastic" -> stochastic(fields);
                    default ->
                        throw Fields.wrong("sampling.method", "\"greedy\" or \"stochastic\"", fields.need("method"));
                });
    }

    private static SamplingMethod stochastic(Fields fields) {
        return new SamplingMethod.Stochastic(
                fields.number("temperature"),
                fields.integer("top_k"),
                fields.number("top_p"),
                fields.number("min_p"),
                fields.number("repetition_penalty"),
                fields.integer("suffix_repetition_length"),
                fields.number("presence_penalty"),
                fields.number("frequency_penalty"),
                logitBias(fields.get("logit_bias")));
    }

    private static Map<Integer, Double> logitBias(@Nullable JsonNode node) {
        Map<Integer, Double> biases = new HashMap<>();
        if (node == null) {
            return biases;
        }
        if (!node.isObject()) {
            throw Fields.wrong("sampling.logit_bias", "an object from token id to bias", node);
        }
        node.properties().forEach(entry -> {
            if (!entry.getKey().matches("\\d{1,9}") || !entry.getValue().isNumber()) {
                throw Fields.wrong("sampling.logit_bias", "an object from token id to bias", node);
            }
            biases.put(Integer.valueOf(entry.getKey()), entry.getValue().doubleValue());
        });
        return biases;
    }

    static List<String> texts(String field, @Nullable JsonNode node) {
        List<String> texts = new ArrayList<>();
        if (node == null) {
            return texts;
        }
        if (!node.isArray()) {
            throw Fields.wrong(field, "an array of strings", node);
        }
        for (JsonNode text : node) {
            texts.add(Fields.text(field, text));
        }
        return texts;
    }

    static Path path(String field, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException invalid) {
            throw new UzuException.InvalidArgument(
                    field + " is no path: " + invalid.getMessage(), Map.of("field", field, "path", text), invalid);
        }
    }

    private static <T> T or(@Nullable T value, T otherwise) {
        return Objects.requireNonNullElse(value, otherwise);
    }
}
