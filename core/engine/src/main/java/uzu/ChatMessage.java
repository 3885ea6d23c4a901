package uzu;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

    public ChatMessage withToolCall(ChatContentBlock.ToolCall call) {
        return withBlock(call);
    }

    public ChatMessage withBlock(ChatContentBlock block) {
        List<ChatContentBlock> blocks = new ArrayList<>(content);
        blocks.add(block);
        return new ChatMessage(role, blocks);
    }

    /** All text blocks joined; null when there is none. */
    public @Nullable String text() {
        return joined(blocks(ChatContentBlock.Text.class).map(ChatContentBlock.Text::text));
    }

    /** All reasoning blocks joined; null when there is none. */
    public @Nullable String reasoning() {
        return joined(blocks(ChatContentBlock.Reasoning.class).map(ChatContentBlock.Reasoning::text));
    }

    /** The calls that the model makes, in order. */
    public List<ChatContentBlock.ToolCall> toolCalls() {
        return blocks(ChatContentBlock.ToolCall.class).toList();
    }

    /** The last effort asked for; null when none was. */
    public @Nullable ReasoningEffort reasoningEffort() {
        return blocks(ChatContentBlock.ReasoningEffort.class)
                .map(ChatContentBlock.ReasoningEffort::effort)
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    /**
     * The text as a value, such as {@link Grammar#fromType} makes it; null when there is no text.
     *
     * @throws UzuException.InvalidArgument when the text is no such value
     */
    public <T> @Nullable T textDecoded(Class<T> type) {
        return textDecoded((Type) type);
    }

    /** As {@link #textDecoded(Class)}, for types with parameters. */
    public <T> @Nullable T textDecoded(Type type) {
        String text = text();
        return text == null ? null : JavaValues.read(text, JavaValues.type(type));
    }

    /** As {@link #textDecoded(Class)}, for a list of such values. */
    public <T> @Nullable List<T> textDecodedList(Class<T> type) {
        String text = text();
        return text == null ? null : JavaValues.read(text, JavaValues.listOf(type));
    }

    /**
     * What there is of a value whose text is still being written: what is missing is null, 0 or false. Null when nothing
     * can be read yet.
     */
    public <T> @Nullable T textDecodedPartially(Class<T> type) {
        String text = text();
        return text == null ? null : JavaValues.readPartial(PartialJson.complete(text), JavaValues.type(type));
    }

    private <T extends ChatContentBlock> Stream<T> blocks(Class<T> kind) {
        return content.stream().filter(kind::isInstance).map(kind::cast);
    }

    private static @Nullable String joined(Stream<String> texts) {
        return texts.reduce(String::concat).orElse(null);
    }
}
