package uzu.engine;

import java.util.List;
import uzu.ChatContentBlock;
import uzu.ChatMessage;
import uzu.UzuException;

/** What a reply's stream is made of, in order. */
sealed interface StreamPart permits Turn, StreamPart.Results, StreamPart.Cancelled, StreamPart.Failed {
    /** What tools came to. */
    record Results(List<ChatContentBlock.ToolCallResult> results) implements StreamPart {}

    /** The reply was cancelled while tools ran. */
    record Cancelled(ChatMessage message) implements StreamPart {}

    /** The reply failed between two turns. */
    record Failed(UzuException error) implements StreamPart {}
}
