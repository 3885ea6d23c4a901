package uzu;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One message of a conversation. Immutable: the {@code with} methods return a copy with one block more. */
public record ChatMessage(ChatRole role, List<ChatContentBlock> content) {
    public ChatMessage {
        content = List.copyOf(content);
    }

    public static ChatMessage system() {
        return forRole(ChatRole.SYSTEM);
    }

    public static ChatMessage developer() {
        return forRole(ChatRole.DEVELOPER);
    }

    public static ChatMessage user() {
        return forRole(ChatRole.USER);
    }

    public static ChatMessage assistant() {
        return forRole(ChatRole.ASSISTANT);
    }

    public static ChatMessage tool() {
        return forRole(ChatRole.TOOL);
    }

    public static ChatMessage forRole(ChatRole role) {
        return new ChatMessage(role, List.of());
    }

    public ChatMessage withText(String text) {
        return withBlock(new ChatContentBlock.Text(text));
    }

    public ChatMessage withReasoning(String text) {
        return withBlock(new ChatContentBlock.Reasoning(text));
    }

    public ChatMessage withReasoningEffort(ReasoningEffort effort) {
        return withBlock(new ChatContentBlock.ReasoningEffort(effort));
    }

    public ChatMessage withBlock(ChatContentBlock block) {
        List<ChatContentBlock> blocks = new ArrayList<>(content);
        blocks.add(block);
        return new ChatMessage(role, blocks);
    }

    /** All text blocks joined; null when there is none. */
    public @Nullable String text() {
        List<String> texts = content.stream()
                .filter(ChatContentBlock.Text.class::isInstance)
                .map(block -> ((ChatContentBlock.Text) block).text())
                .toList();
        return texts.isEmpty() ? null : String.join("", texts);
    }

    /** All reasoning blocks joined; null when there is none. */
    public @Nullable String reasoning() {
        List<String> texts = content.stream()
                .filter(ChatContentBlock.Reasoning.class::isInstance)
                .map(block -> ((ChatContentBlock.Reasoning) block).text())
                .toList();
        return texts.isEmpty() ? null : String.join("", texts);
    }

    /** The last effort asked for; null when none was. */
    public @Nullable ReasoningEffort reasoningEffort() {
        ReasoningEffort effort = null;
        for (ChatContentBlock block : content) {
            if (block instanceof ChatContentBlock.ReasoningEffort asked) {
                effort = asked.effort();
            }
        }
        return effort;
    }
}
