package uzu.speculate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the target's tokens are drawn, so that drafts are drawn alike.
 *
 * @param temperature 0: the likeliest token
 * @param noise the verifier's noise, which a drafter may add to its own scores; null when the verifier has none in
 *     common with drafters, or the temperature is 0
 */
public record Conditions(float temperature, @Nullable Noise noise) {
    public static final Conditions GREEDY = new Conditions(0, null);

    /** Gumbel noise by position and token. */
    public interface Noise {
        double of(int position, int token);
    }

    public boolean isNoisy() {
        return noise != null && temperature > 0;
    }

    public Noise requireNoise() {
        return Objects.requireNonNull(noise);
    }
}
