package uzu.engine;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.SamplingMethod;
import uzu.UzuException;
import uzu.format.Metadata;

/**
 * The sampling that a model's makers recommend: {@code generation_config.json} of a folder, {@code general.sampling.*}
 * keys of a GGUF file; else what the catalog knows of them.
 */
final class Recommended {
    private static final String KEY = "general.sampling.";

    private Recommended() {}

    static SamplingMethod of(Metadata metadata, SamplingMethod usual) {
        Double temperature = number(metadata, "temp");
        Integer topK = integer(number(metadata, "top_k"));
        Double topP = number(metadata, "top_p");
        Double minP = number(metadata, "min_p");
        Double penalty = number(metadata, "penalty_repeat");
        Integer last = integer(number(metadata, "penalty_last_n"));
        boolean nothing = temperature == null && topK == null && topP == null && minP == null && penalty == null;
        return nothing ? usual : method(temperature, topK, topP, minP, penalty, last, "general.sampling");
    }

    /** A configuration without {@code do_sample} means the likeliest token, as it does to its own library. */
    static SamplingMethod of(@Nullable JsonNode generationConfig, SamplingMethod usual) {
        if (generationConfig == null) {
            return usual;
        }
        Double penalty = number(generationConfig, "repetition_penalty");
        if (!generationConfig.path("do_sample").asBoolean(false)) {
            return penalty == null || penalty == 1
                    ? new SamplingMethod.Greedy()
                    : method(0.0, null, null, null, penalty, null, "generation_config.json");
        }
        return method(
                number(generationConfig, "temperature"),
                integer(number(generationConfig, "top_k")),
                number(generationConfig, "top_p"),
                number(generationConfig, "min_p"),
                penalty,
                null,
                "generation_config.json");
    }

    /** Files write 0 or −1 for a filter that is off. */
    private static SamplingMethod method(
            @Nullable Double temperature,
            @Nullable Integer topK,
            @Nullable Double topP,
            @Nullable Double minP,
            @Nullable Double penalty,
            @Nullable Integer last,
            String source) {
        try {
            return new SamplingMethod.Stochastic(
                    temperature,
                    topK == null || topK <= 0 ? null : topK,
                    topP == null || topP <= 0 ? null : topP,
                    minP == null || minP <= 0 ? null : minP,
                    penalty,
                    last == null || last <= 0 ? null : last);
        } catch (UzuException.InvalidArgument e) {
            throw new UzuException.ModelCorrupt(source + ": " + e.getMessage(), e.details(), e);
        }
    }

    private static @Nullable Double number(Metadata metadata, String name) {
        return metadata.has(KEY + name) ? metadata.number(KEY + name) : null;
    }

    private static @Nullable Double number(JsonNode config, String name) {
        JsonNode value = config.get(name);
        return value != null && value.isNumber() ? value.doubleValue() : null;
    }

    private static @Nullable Integer integer(@Nullable Double value) {
        return value == null ? null : value.intValue();
    }
}
