package uzu.speculate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the target's tokens are drawn, so that drafts are drawn alike.
 *
 * @param temperature 0: the likeliest token
 * @param noise the verifier's noise, which a drafter may add to its own scores; null when the verifier has none in
 *     common with drafters, or the temperature is 0
 * @param lots where drafted tokens are drawn from what drafters propose, for a verifier that knows their chances: by
 *     what they are drawn; else null
 */
public record Conditions(
        float temperature, @Nullable Noise noise, @Nullable Lots lots) {
    public static final Conditions GREEDY = new Conditions(0, null);

    public Conditions(float temperature, @Nullable Noise noise) {
        this(temperature, noise, null);
    }

    /** Gumbel noise by position and token. */
    public interface Noise {
        double of(int position, int token);
    }

    /** Gumbel noise that nothing else depends on, by the position of the draft's root, node and token. */
    public interface Lots {
        double of(int rootPosition, int node, int token);
    }

    public boolean isNoisy() {
        return noise != null && temperature > 0;
    }

    public Noise requireNoise() {
        return Objects.requireNonNull(noise);
    }

    public boolean drawsLots() {
        return lots != null && temperature > 0;
    }

    public Lots requireLots() {
        return Objects.requireNonNull(lots);
    }
}
