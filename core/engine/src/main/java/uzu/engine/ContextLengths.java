package uzu.engine;

import java.util.Map;
import uzu.ContextLength;
import uzu.UzuException;

/** How long a conversation may be. */
final class ContextLengths {
    private static final int DEFAULT = 16_384;

    private ContextLengths() {}

    static int resolve(ContextLength asked, int possible) {
        return switch (asked) {
            case ContextLength.Default usual -> Math.min(DEFAULT, possible);
            case ContextLength.Maximal maximal -> possible;
            case ContextLength.Custom custom -> {
                if (custom.tokens() > possible) {
                    throw new UzuException.InvalidArgument(
                            "contextLength " + custom.tokens() + " is more than the model's " + possible,
                            Map.of("field", "contextLength", "possible", Integer.toString(possible)));
                }
                yield custom.tokens();
            }
        };
    }
}
