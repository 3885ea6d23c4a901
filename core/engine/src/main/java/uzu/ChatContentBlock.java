package uzu;

/** A part of a message. A block that the model can't take is an {@link UzuException.InvalidArgument} that says so. */
public sealed interface ChatContentBlock {
    record Text(String text) implements ChatContentBlock {}

    /** What the model thought before it answered. */
    record Reasoning(String text) implements ChatContentBlock {}

    /** The effort asked for from this message on. */
    record ReasoningEffort(uzu.ReasoningEffort effort) implements ChatContentBlock {}

    /** A picture, by path, URL or data URL. */
    record Image(String source) implements ChatContentBlock {}

    /** A sound, by path, URL or data URL. */
    record Audio(String source) implements ChatContentBlock {}

    /** A film, by path, URL or data URL. */
    record Video(String source) implements ChatContentBlock {}

    /** A document, by path, URL or data URL. */
    record File(String source) implements ChatContentBlock {}
}
