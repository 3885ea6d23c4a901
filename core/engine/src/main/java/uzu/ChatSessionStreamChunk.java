package uzu;

import java.util.List;

/** What a stream hands out. */
public sealed interface ChatSessionStreamChunk {
    /**
     * @param replies the replies so far, each with its whole message
     * @param delta what the last chunk's message didn't have yet
     */
    record Replies(List<ChatReply> replies, ChatReplyDelta delta) implements ChatSessionStreamChunk {
        public Replies {
            replies = List.copyOf(replies);
        }
    }

    /** What the tools that the model called came to; further replies follow. */
    record ToolResults(List<ChatContentBlock.ToolCallResult> results) implements ChatSessionStreamChunk {
        public ToolResults {
            results = List.copyOf(results);
        }
    }

    /** The reply failed; the last chunk. */
    record Error(UzuException error) implements ChatSessionStreamChunk {}
}
