package uzu.speculate;

import java.util.List;
import uzu.ChatVerifier;

/**
 * How a reply speculates.
 *
 * @param drafters that propose, the most specific first; none: plain decoding
 * @param maxNodes most rows of a pass for this reply, the last token's own included
 */
public record Speculation(List<Drafter> drafters, int maxNodes, ChatVerifier verifier) {
    public static final int DEFAULT_NODES = 32;

    public Speculation {
        drafters = List.copyOf(drafters);
    }

    /** With the verifier that changes no token. */
    public Speculation(List<Drafter> drafters, int maxNodes) {
        this(drafters, maxNodes, ChatVerifier.SHARED_NOISE);
    }

    public static Speculation off() {
        return new Speculation(List.of(), 1);
    }

    public boolean isOff() {
        return drafters.isEmpty() || maxNodes < 2;
    }
}
