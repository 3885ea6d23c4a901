package uzu;

import java.util.Map;

/** Most tokens of a conversation, prompt and replies together. */
public sealed interface ContextLength {
    /** The model's own length, at most 16,384. */
    record Default() implements ContextLength {}

    /** The model's own length. */
    record Maximal() implements ContextLength {}

    /** {@code tokens}, at most the model's own length. */
    record Custom(int tokens) implements ContextLength {
        public Custom {
            if (tokens < 1) {
                throw new UzuException.InvalidArgument(
                        "contextLength must be at least 1, not " + tokens, Map.of("field", "contextLength"));
            }
        }
    }
}
