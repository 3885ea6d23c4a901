package uzu;

import java.util.List;
import java.util.Map;

/**
 * How replies are speculated: cheap drafters guess several tokens, and one pass of the model verifies them all. The
 * model's answers stay what they are; a preset only changes how fast they come.
 */
public sealed interface ChatSpeculationPreset {
    /** Everything the model has drafters for. */
    record Auto() implements ChatSpeculationPreset {}

    /** Token by token. */
    record Off() implements ChatSpeculationPreset {}

    /** For conversations: all drafters. */
    record GeneralChat() implements ChatSpeculationPreset {}

    /** For answers that repeat much of the prompt: only lookup, with larger drafts. */
    record Summarization() implements ChatSpeculationPreset {}

    /** For answers that are mostly one of the feature's values. */
    record Classification(Feature feature) implements ChatSpeculationPreset {}

    /**
     * @param drafters at least one
     * @param maxNodes most tokens that one pass verifies, the last certain one included; 2 to 64
     */
    record Custom(List<ChatDrafter> drafters, int maxNodes, ChatVerifier verifier) implements ChatSpeculationPreset {
        public Custom {
            drafters = List.copyOf(drafters);
            if (drafters.isEmpty()) {
                throw new UzuException.InvalidArgument(
                        "a custom preset needs at least one drafter", Map.of("field", "drafters"));
            }
            if (maxNodes < 2 || maxNodes > 64) {
                throw new UzuException.InvalidArgument(
                        "maxNodes is " + maxNodes + ", but a draft has 2 to 64", Map.of("field", "maxNodes"));
            }
        }
    }

    /** What is classified, and the answers expected. */
    record Feature(String name, List<String> values) {
        public Feature {
            values = List.copyOf(values);
            if (values.isEmpty()) {
                throw new UzuException.InvalidArgument("a feature needs at least one value", Map.of("field", "values"));
            }
        }
    }
}
