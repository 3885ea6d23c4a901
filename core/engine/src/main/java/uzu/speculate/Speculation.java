package uzu.speculate;

import java.util.List;

/**
 * How a reply speculates.
 *
 * @param drafters that propose, the most specific first; none: plain decoding
 * @param maxNodes most rows of a pass for this reply, the last token's own included
 */
public record Speculation(List<Drafter> drafters, int maxNodes) {
    public static final int DEFAULT_NODES = 32;

    public Speculation {
        drafters = List.copyOf(drafters);
    }

    public static Speculation off() {
        return new Speculation(List.of(), 1);
    }

    public boolean isOff() {
        return drafters.isEmpty() || maxNodes < 2;
    }
}
