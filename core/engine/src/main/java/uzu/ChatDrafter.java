package uzu;

import java.util.Map;

/** Something that guesses the model's next tokens. */
public sealed interface ChatDrafter {
    /** What followed when the last tokens stood earlier in the conversation. */
    record Lookup() implements ChatDrafter {}

    /**
     * What followed the last tokens in the model's replies of other conversations, since it was loaded. Nothing is written
     * down; but how fast a reply comes may tell that another conversation had the same words.
     */
    record Recall() implements ChatDrafter {}

    /** Tables of what the model says after its last tokens, trained on its own answers. */
    record Tables() implements ChatDrafter {}

    /** The trained network that came with the model or was made for it. */
    record Network() implements ChatDrafter {}

    /**
     * A smaller model with the same vocabulary.
     *
     * @param identifier as {@link Engine#model} takes it
     */
    record DraftModel(String identifier) implements ChatDrafter {
        public DraftModel {
            if (identifier.isBlank()) {
                throw new UzuException.InvalidArgument(
                        "identifier of a draft model: none", Map.of("field", "identifier"));
            }
        }
    }
}
