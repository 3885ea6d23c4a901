package uzu;

import java.util.Map;

/** Whether a reply calls tools. */
public sealed interface ToolChoice {
    /** As the model likes. */
    record Auto() implements ToolChoice {}

    /** Tools aren't shown to the model. */
    record None() implements ToolChoice {}

    /** At least one call. */
    record Required() implements ToolChoice {}

    /** A call of this tool. */
    record Named(String name) implements ToolChoice {
        public Named {
            if (name.isBlank()) {
                throw new UzuException.InvalidArgument(
                        "the name of the tool to call is empty", Map.of("field", "toolChoice"));
            }
        }
    }
}
