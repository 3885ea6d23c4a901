package uzu;

import java.util.List;
import java.util.Map;

/**
 * How replies are sped up: cheap drafters guess several tokens, and one pass of the model verifies them all. What the
 * model answers stays the same; a preset only decides how soon it comes. {@link ChatReplySpeculatorStats} says what it
 * brought.
 */
public sealed interface ChatSpeculationPreset {
    /** Everything that there are drafters for, as far as it pays. The default. */
    record Auto() implements ChatSpeculationPreset {}

    /** Token by token. */
    record Off() implements ChatSpeculationPreset {}

    /** For conversations. */
    record GeneralChat() implements ChatSpeculationPreset {}

    /** For answers that repeat much of what was said: summaries, edits, extracts. */
    record Summarization() implements ChatSpeculationPreset {}

    /** For answers that are one of the feature's values; others come as well. */
    record Classification(Feature feature) implements ChatSpeculationPreset {}

    /**
     * Chosen drafters only.
     *
     * @param drafters at least one, in whatever order; a model that lacks one of them refuses the session
     * @param maxNodes most tokens that one pass verifies, the last certain one included; 2 to 64
     */
    record Custom(List<ChatDrafter> drafters, int maxNodes, ChatVerifier verifier) implements ChatSpeculationPreset {
        public Custom {
            drafters = List.copyOf(drafters);
            if (drafters.isEmpty()) {
                throw new UzuException.InvalidArgument(
                        "drafters of a custom preset: at least one", Map.of("field", "drafters"));
            }
            if (maxNodes < 2 || maxNodes > 64) {
                throw new UzuException.InvalidArgument(
                        "maxNodes must be 2 to 64, not " + maxNodes, Map.of("field", "maxNodes"));
            }
        }

        /** With trees as large as the other presets' and the verifier that changes no token. */
        public static Custom of(ChatDrafter... drafters) {
            return new Custom(List.of(drafters), 32, ChatVerifier.SHARED_NOISE);
        }
    }
}
