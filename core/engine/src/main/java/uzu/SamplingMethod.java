package uzu;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the next token is chosen. Order: logit bias and penalties, temperature, then top-k, top-p and min-p, each on the
 * temperature-scaled distribution of all tokens, then the draw.
 */
public sealed interface SamplingMethod {
    /** The likeliest token; of equal ones, the lowest id. */
    record Greedy() implements SamplingMethod {}

    /**
     * A draw. Null leaves a step out.
     *
     * @param temperature at least 0; 0 takes the likeliest token after bias and penalties; null means 1
     * @param topK keeps the k likeliest tokens; at least 1
     * @param topP keeps the likeliest tokens while the mass before them is below p; above 0, at most 1
     * @param minP keeps tokens of at least this share of the likeliest token's probability; from 0 to 1
     * @param repetitionPenalty divides positive and multiplies negative logits of tokens seen before; above 0
     * @param suffixRepetitionLength how many of the last tokens the repetition penalty sees, prompt included; at least
     *     1; null means all
     * @param presencePenalty subtracted from the logit of every token in the reply so far; from −2 to 2
     * @param frequencyPenalty subtracted as often as the token is in the reply so far; from −2 to 2
     * @param logitBias added to logits, by token id
     */
    record Stochastic(
            @Nullable Double temperature,
            @Nullable Integer topK,
            @Nullable Double topP,
            @Nullable Double minP,
            @Nullable Double repetitionPenalty,
            @Nullable Integer suffixRepetitionLength,
            @Nullable Double presencePenalty,
            @Nullable Double frequencyPenalty,
            Map<Integer, Double> logitBias)
            implements SamplingMethod {
        public Stochastic {
            check("temperature", temperature, temperature == null || temperature >= 0, "0 or more");
            check("topK", topK, topK == null || topK >= 1, "1 or more");
            check("topP", topP, topP == null || (topP > 0 && topP <= 1), "above 0 and at most 1");
            check("minP", minP, minP == null || (minP >= 0 && minP <= 1), "from 0 to 1");
            check(
                    "repetitionPenalty",
                    repetitionPenalty,
                    repetitionPenalty == null || repetitionPenalty > 0,
                    "above 0");
            check(
                    "suffixRepetitionLength",
                    suffixRepetitionLength,
                    suffixRepetitionLength == null || suffixRepetitionLength >= 1,
                    "1 or more");
            check("presencePenalty", presencePenalty, withinTwo(presencePenalty), "from -2 to 2");
            check("frequencyPenalty", frequencyPenalty, withinTwo(frequencyPenalty), "from -2 to 2");
            logitBias.forEach((token, bias) -> {
                check("logitBias", token, token >= 0, "given by token ids of 0 or more");
                check("logitBias", bias, true, "finite");
            });
            logitBias = Map.copyOf(logitBias);
        }

        public Stochastic(
                @Nullable Double temperature,
                @Nullable Integer topK,
                @Nullable Double topP,
                @Nullable Double minP,
                @Nullable Double repetitionPenalty,
                @Nullable Integer suffixRepetitionLength) {
            this(temperature, topK, topP, minP, repetitionPenalty, suffixRepetitionLength, null, null, Map.of());
        }

        /** Draws from the model's own distribution. */
        public static Stochastic create() {
            return new Stochastic(null, null, null, null, null, null);
        }

        public Stochastic withTemperature(double value) {
            return new Stochastic(
                    value,
                    topK,
                    topP,
                    minP,
                    repetitionPenalty,
                    suffixRepetitionLength,
                    presencePenalty,
                    frequencyPenalty,
                    logitBias);
        }

        public Stochastic withTopK(int value) {
            return new Stochastic(
                    temperature,
                    value,
                    topP,
                    minP,
                    repetitionPenalty,
                    suffixRepetitionLength,
                    presencePenalty,
                    frequencyPenalty,
                    logitBias);
        }

        public Stochastic withTopP(double value) {
            return new Stochastic(
                    temperature,
                    topK,
                    value,
                    minP,
                    repetitionPenalty,
                    suffixRepetitionLength,
                    presencePenalty,
                    frequencyPenalty,
                    logitBias);
        }

        public Stochastic withMinP(double value) {
            return new Stochastic(
                    temperature,
                    topK,
                    topP,
                    value,
                    repetitionPenalty,
                    suffixRepetitionLength,
                    presencePenalty,
                    frequencyPenalty,
                    logitBias);
        }

        public Stochastic withRepetitionPenalty(double value) {
            return new Stochastic(
                    temperature,
                    topK,
                    topP,
                    minP,
                    value,
                    suffixRepetitionLength,
                    presencePenalty,
                    frequencyPenalty,
                    logitBias);
        }

        public Stochastic withSuffixRepetitionLength(int value) {
            return new Stochastic(
                    temperature,
                    topK,
                    topP,
                    minP,
                    repetitionPenalty,
                    value,
                    presencePenalty,
                    frequencyPenalty,
                    logitBias);
        }

        public Stochastic withPresencePenalty(double value) {
            return new Stochastic(
                    temperature,
                    topK,
                    topP,
                    minP,
                    repetitionPenalty,
                    suffixRepetitionLength,
                    value,
                    frequencyPenalty,
                    logitBias);
        }

        public Stochastic withFrequencyPenalty(double value) {
            return new Stochastic(
                    temperature,
                    topK,
                    topP,
                    minP,
                    repetitionPenalty,
                    suffixRepetitionLength,
                    presencePenalty,
                    value,
                    logitBias);
        }

        public Stochastic withLogitBias(Map<Integer, Double> value) {
            return new Stochastic(
                    temperature,
                    topK,
                    topP,
                    minP,
                    repetitionPenalty,
                    suffixRepetitionLength,
                    presencePenalty,
                    frequencyPenalty,
                    value);
        }

        private static boolean withinTwo(@Nullable Double value) {
            return value == null || Math.abs(value) <= 2;
        }

        private static void check(String field, @Nullable Number value, boolean possible, String range) {
            if (value != null && !(possible && Double.isFinite(value.doubleValue()))) {
                throw new UzuException.InvalidArgument(
                        field + " must be " + range + ", not " + value,
                        Map.of("field", field, "value", value.toString()));
            }
        }
    }
}
