package uzu.chat.parse;

import java.util.List;
import java.util.Map;
import uzu.ToolChoice;
import uzu.ToolDeclaration;
import uzu.UzuException;

/** The tools that a choice allows. */
final class Choices {
    private Choices() {}

    static List<ToolDeclaration> of(List<ToolDeclaration> tools, ToolChoice choice) {
        if (!(choice instanceof ToolChoice.Named named)) {
            return tools;
        }
        List<ToolDeclaration> called =
                tools.stream().filter(tool -> tool.name().equals(named.name())).toList();
        if (called.isEmpty()) {
            throw new UzuException.InvalidArgument(
                    "the tool to call, " + named.name() + ", is not declared",
                    Map.of("field", "toolChoice", "value", named.name()));
        }
        return called;
    }
}
