package uzu.chat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.ChatContentBlock;
import uzu.ChatMessage;
import uzu.ToolChoice;
import uzu.ToolDeclaration;
import uzu.ToolFunction;
import uzu.UzuException;

/** The tools that a session runs itself, by name, in the order they were added. Immutable. */
public final class Toolbox {
    public static final Toolbox EMPTY = new Toolbox(Map.of());

    private final Map<String, ToolFunction> functions;

    private Toolbox(Map<String, ToolFunction> functions) {
        this.functions = functions;
    }

    /** @throws UzuException.InvalidArgument when there is one of its name, or its parameters are no schema */
    public Toolbox with(ToolFunction function) {
        ToolDeclaration declaration = function.declaration();
        ToolSchemas.check(declaration);
        Map<String, ToolFunction> more = new LinkedHashMap<>(functions);
        if (more.put(declaration.name(), function) != null) {
            throw new UzuException.InvalidArgument(
                    "the session has a tool " + declaration.name() + " already", Map.of("tool", declaration.name()));
        }
        return new Toolbox(more);
    }

    public @Nullable ToolFunction get(String name) {
        return functions.get(name);
    }

    /**
     * What the model is told of for its next reply: these tools, and those that messages declare, where a later
     * declaration stands for earlier ones of its name.
     *
     * @throws UzuException.InvalidArgument when a message declares one of these tools, or the choice can't be honoured
     */
    public List<ToolDeclaration> shown(List<ChatMessage> messages, ToolChoice choice) {
        Map<String, ToolDeclaration> all = new LinkedHashMap<>();
        functions.forEach((name, function) -> all.put(name, function.declaration()));
        for (ChatMessage message : messages) {
            for (ChatContentBlock block : message.content()) {
                if (block instanceof ChatContentBlock.Tools declared) {
                    declared.tools().forEach(tool -> declare(tool, all));
                }
            }
        }
        return switch (choice) {
            case ToolChoice.None none -> List.of();
            case ToolChoice.Auto auto -> new ArrayList<>(all.values());
            case ToolChoice.Required required -> {
                if (all.isEmpty()) {
                    throw new UzuException.InvalidArgument(
                            "a call is required, but there are no tools", Map.of("field", "toolChoice"));
                }
                yield new ArrayList<>(all.values());
            }
            case ToolChoice.Named named -> {
                if (!all.containsKey(named.name())) {
                    throw new UzuException.InvalidArgument(
                            "a call of " + named.name() + " is required, but there is no such tool",
                            Map.of("field", "toolChoice", "tool", named.name()));
                }
                yield new ArrayList<>(all.values());
            }
        };
    }

    private void declare(ToolDeclaration tool, Map<String, ToolDeclaration> all) {
        if (functions.containsKey(tool.name())) {
            throw new UzuException.InvalidArgument(
                    "a message declares the tool " + tool.name() + ", which the session runs itself",
                    Map.of("tool", tool.name()));
        }
        ToolSchemas.check(tool);
        all.put(tool.name(), tool);
    }
}
