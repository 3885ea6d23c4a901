package uzu.generate;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.ChatVerifier;
import uzu.SamplingMethod;
import uzu.speculate.Conditions;

/** A sampling method with every step's neutral value filled in. */
record Settings(
        float temperature,
        int topK,
        double topP,
        double minP,
        float repetitionPenalty,
        int suffixRepetitionLength,
        float presencePenalty,
        float frequencyPenalty,
        Map<Integer, Double> logitBias) {
    static Settings of(SamplingMethod method) {
        return switch (method) {
            case SamplingMethod.Greedy greedy -> new Settings(0, Integer.MAX_VALUE, 1, 0, 1, 1, 0, 0, Map.of());
            case SamplingMethod.Stochastic s ->
                new Settings(
                        narrow(or(s.temperature(), 1)),
                        s.topK() == null ? Integer.MAX_VALUE : s.topK(),
                        or(s.topP(), 1),
                        or(s.minP(), 0),
                        narrow(or(s.repetitionPenalty(), 1)),
                        s.suffixRepetitionLength() == null ? Integer.MAX_VALUE : s.suffixRepetitionLength(),
                        or(s.presencePenalty(), 0).floatValue(),
                        or(s.frequencyPenalty(), 0).floatValue(),
                        s.logitBias());
        };
    }

    boolean filters() {
        return topK < Integer.MAX_VALUE || topP < 1 || minP > 0;
    }

    boolean adjustsLogits() {
        return repetitionPenalty != 1 || presencePenalty != 0 || frequencyPenalty != 0 || !logitBias.isEmpty();
    }

    /** Whether the likeliest token is drawn, whatever the others are. */
    boolean isGreedy() {
        return temperature == 0 && !adjustsLogits();
    }

    /** What drafters may know of the draws. */
    Conditions conditions(long seed, ChatVerifier verifier) {
        if (temperature == 0) {
            return Conditions.GREEDY;
        }
        return switch (verifier) {
            case SHARED_NOISE ->
                new Conditions(temperature, (position, token) -> GumbelNoise.of(seed, position, token));
            case REJECTION ->
                new Conditions(
                        temperature, null, (position, node, token) -> Rejection.lot(seed, position, node, token));
        };
    }

    /** Values beyond a float's range become its ends: infinities would make logits that are no numbers. */
    static float narrow(double value) {
        return (float) Math.clamp(value, -Float.MAX_VALUE, Float.MAX_VALUE);
    }

    private static Double or(@Nullable Double value, double otherwise) {
        return value == null ? otherwise : value;
    }
}
