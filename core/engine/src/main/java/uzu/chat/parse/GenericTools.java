package uzu.chat.parse;

import java.util.ArrayList;
import java.util.List;
import uzu.ChatContentBlock;
import uzu.ChatMessage;
import uzu.ChatRole;
import uzu.ToolDeclaration;

/**
 * Tools for a template that knows none: declared in the system message, calls and results of earlier messages written
 * as text. Calls are a JSON object in {@code <tool_call>} tags, results one in {@code <tool_response>} tags.
 */
public final class GenericTools {
    private static final String CALL_OPEN = "<tool_call>\n";
    private static final String CALL_CLOSE = "\n</tool_call>";
    private static final String RESULT_OPEN = "<tool_response>\n";
    private static final String RESULT_CLOSE = "\n</tool_response>";

    private GenericTools() {}

    /**
     * The conversation without blocks that the template doesn't know.
     *
     * @param tools none: nothing is declared, and only earlier calls and results are rewritten
     * @param hasSystem whether the template takes system messages; else the declaration precedes the first user's text
     */
    public static List<ChatMessage> asText(List<ChatMessage> messages, List<ToolDeclaration> tools, boolean hasSystem) {
        List<ChatMessage> texts = new ArrayList<>();
        boolean results = false;
        for (ChatMessage message : messages) {
            ChatMessage text = text(message);
            // Results are a user's message then, and many templates insist on users and assistants taking turns.
            boolean joins = text.role().equals(ChatRole.USER) && (results || isResult(message)) && lastIsUser(texts);
            results = isResult(message) || joins;
            if (joins) {
                texts.add(joined(texts.removeLast(), text));
            } else {
                texts.add(text);
            }
        }
        if (!tools.isEmpty()) {
            declare(texts, declaration(tools), hasSystem);
        }
        return List.copyOf(texts);
    }

    private static boolean isResult(ChatMessage message) {
        return message.role().equals(ChatRole.TOOL);
    }

    private static boolean lastIsUser(List<ChatMessage> texts) {
        return !texts.isEmpty() && texts.getLast().role().equals(ChatRole.USER);
    }

    private static ChatMessage joined(ChatMessage first, ChatMessage second) {
        List<ChatContentBlock> blocks = new ArrayList<>(first.content());
        blocks.add(new ChatContentBlock.Text("\n"));
        blocks.addAll(second.content());
        return new ChatMessage(first.role(), blocks);
    }

    private static void declare(List<ChatMessage> texts, String declaration, boolean hasSystem) {
        ChatRole role = hasSystem ? ChatRole.SYSTEM : ChatRole.USER;
        for (int i = 0; i < texts.size(); i++) {
            ChatMessage message = texts.get(i);
            if (message.role().equals(role) || hasSystem && message.role().equals(ChatRole.DEVELOPER)) {
                texts.set(i, hasSystem ? behind(message, declaration) : before(message, declaration));
                return;
            }
        }
        texts.addFirst(ChatMessage.forRole(role).withText(declaration));
    }

    private static ChatMessage behind(ChatMessage message, String text) {
        return message.withText("\n\n" + text);
    }

    private static ChatMessage before(ChatMessage message, String text) {
        List<ChatContentBlock> blocks = new ArrayList<>();
        blocks.add(new ChatContentBlock.Text(text + "\n\n"));
        blocks.addAll(message.content());
        return new ChatMessage(message.role(), blocks);
    }

    private static ChatMessage text(ChatMessage message) {
        List<ChatContentBlock> blocks = new ArrayList<>();
        for (ChatContentBlock block : message.content()) {
            switch (block) {
                case ChatContentBlock.ToolCall call -> add(blocks, call(call));
                case ChatContentBlock.ToolCallCandidate candidate -> add(blocks, candidate.text());
                case ChatContentBlock.ToolCallResult result -> add(blocks, result(result));
                case ChatContentBlock.Tools declared -> {}
                case ChatContentBlock.Text text -> blocks.add(text);
                case ChatContentBlock.Reasoning reasoning -> blocks.add(reasoning);
                case ChatContentBlock.ReasoningEffort effort -> blocks.add(effort);
                case ChatContentBlock.Custom custom -> blocks.add(custom);
                case ChatContentBlock.Image image -> blocks.add(image);
                case ChatContentBlock.Audio audio -> blocks.add(audio);
                case ChatContentBlock.Video video -> blocks.add(video);
                case ChatContentBlock.File file -> blocks.add(file);
            }
        }
        return new ChatMessage(isResult(message) ? ChatRole.USER : message.role(), blocks);
    }

    private static void add(List<ChatContentBlock> blocks, String line) {
        boolean follows = blocks.stream().anyMatch(ChatContentBlock.Text.class::isInstance);
        blocks.add(new ChatContentBlock.Text(follows ? "\n" + line : line));
    }

    private static String call(ChatContentBlock.ToolCall call) {
        return CALL_OPEN + "{\"name\": " + JsonText.quoted(call.name()) + ", \"arguments\": " + call.arguments() + "}"
                + CALL_CLOSE;
    }

    private static String result(ChatContentBlock.ToolCallResult result) {
        return RESULT_OPEN + "{\"name\": " + JsonText.quoted(result.name()) + ", \"result\": " + result.value() + "}"
                + RESULT_CLOSE;
    }

    /** What the model is told of its tools. */
    static String declaration(List<ToolDeclaration> tools) {
        StringBuilder text = new StringBuilder("You can call these functions:\n");
        for (ToolDeclaration tool : tools) {
            text.append("{\"name\": ")
                    .append(JsonText.quoted(tool.name()))
                    .append(", \"description\": ")
                    .append(JsonText.quoted(tool.description()))
                    .append(", \"parameters\": ")
                    .append(JsonText.compact(tool.parameters()))
                    .append("}\n");
        }
        return text.append(
                        "\nWhen a function helps to answer, call it: write its name and its arguments as JSON between")
                .append(" these tags, and nothing else.\n")
                .append(CALL_OPEN)
                .append("{\"name\": \"the function\", \"arguments\": {\"parameter\": \"value\"}}")
                .append(CALL_CLOSE)
                .append("\nYou are then given its result between <tool_response> tags, from which you answer.")
                .append(" When no function helps, answer without one.")
                .toString();
    }
}
