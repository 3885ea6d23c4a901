package uzu;

import java.util.List;

/** A part of a message. A block that the model can't take is an {@link UzuException.InvalidArgument} that says so. */
public sealed interface ChatContentBlock {
    record Text(String text) implements ChatContentBlock {}

    /** What the model thought before it answered. */
    record Reasoning(String text) implements ChatContentBlock {}

    /** The effort asked for from this message on. */
    record ReasoningEffort(uzu.ReasoningEffort effort) implements ChatContentBlock {}

    /**
     * A call that the model makes.
     *
     * @param identifier what its result refers to
     * @param arguments a JSON object, as JSON text
     */
    record ToolCall(String identifier, String name, String arguments) implements ChatContentBlock {}

    /** What began as a call and isn't one: unfinished yet, cut short or malformed. */
    record ToolCallCandidate(String text) implements ChatContentBlock {}

    /**
     * What a call came to.
     *
     * @param identifier the call's
     * @param value a JSON value, as JSON text; {@code {"error": "…"}} when it failed
     */
    record ToolCallResult(String identifier, String name, String value) implements ChatContentBlock {}

    /** Tools that the caller runs itself; a reply that calls one ends with {@link ChatReplyFinishReason#TOOL_CALLS}. */
    record Tools(List<ToolDeclaration> tools) implements ChatContentBlock {
        public Tools {
            tools = List.copyOf(tools);
        }
    }

    /**
     * A field that only this model's template knows.
     *
     * @param name the message's field
     * @param value as JSON text
     */
    record Custom(String name, String value) implements ChatContentBlock {}

    /** A picture, by path, URL or data URL. */
    record Image(String source) implements ChatContentBlock {}

    /** A sound, by path, URL or data URL. */
    record Audio(String source) implements ChatContentBlock {}

    /** A film, by path, URL or data URL. */
    record Video(String source) implements ChatContentBlock {}

    /** A document, by path, URL or data URL. */
    record File(String source) implements ChatContentBlock {}
}
