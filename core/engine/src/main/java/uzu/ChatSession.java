package uzu;

import java.nio.file.Path;
import java.util.List;

/**
 * A conversation. It keeps its history: each input holds only the new messages, and replies are added by themselves. A
 * cancelled reply stays in the history as far as it was shown. One reply at a time; a second one meanwhile is an
 * {@link UzuException.InvalidState}. What is computed is kept: the next reply computes only tokens after the first
 * difference.
 */
public interface ChatSession extends AutoCloseable {
    ChatSessionState state();

    /** The conversation so far, finished replies included. */
    List<ChatMessage> messages();

    /** Most tokens of this conversation. */
    int contextLength();

    /**
     * The model's answer to the conversation with {@code input} added. An interrupt of the waiting thread cancels it.
     *
     * @throws UzuException.InvalidArgument for an empty input on an empty session, or a block the model can't take
     * @throws UzuException.TemplateFailed when the model's template refuses the messages, e.g. their order
     * @throws UzuException.ContextOverflow when the conversation alone is longer than the context; the session stays
     *     as it was
     */
    List<ChatReply> reply(List<ChatMessage> input, ChatReplyConfig config);

    default List<ChatReply> reply(List<ChatMessage> input) {
        return reply(input, ChatReplyConfig.create());
    }

    /** As {@link #reply}, while it is made; errors in the input are thrown here already. */
    ChatSessionStream replyWithStream(List<ChatMessage> input, ChatReplyConfig config);

    default ChatSessionStream replyWithStream(List<ChatMessage> input) {
        return replyWithStream(input, ChatReplyConfig.create());
    }

    /** Whether the model can be told of tools. */
    boolean supportsToolCalls();

    /**
     * From the next reply on the model is told of {@code tool}, and its calls are answered by it: the reply goes on
     * with the result, at most {@link ChatReplyConfig#toolTurnLimit} times. A reply that calls any tool that isn't
     * added ends with {@link ChatReplyFinishReason#TOOL_CALLS}, and so does one with a malformed call: the next input
     * then begins with the results, as {@link ChatContentBlock.ToolCallResult} blocks.
     *
     * @throws UzuException.InvalidArgument when there is a tool of this name, or its parameters are no JSON schema of
     *     an object
     */
    void addTool(ToolFunction tool);

    default void addTools(List<? extends ToolFunction> tools) {
        tools.forEach(this::addTool);
    }

    /**
     * Replaces the conversation. What the new one has in common with what was computed isn't computed again.
     *
     * @throws UzuException.InvalidState while a reply is made
     */
    void setMessages(List<ChatMessage> messages);

    /**
     * A second session with the same conversation, tools and settings, which goes its own way from here. What was
     * computed is shared, not copied.
     *
     * @throws UzuException.InvalidState while a reply is made
     */
    ChatSession fork();

    /**
     * Writes the conversation to a file, in place of one that is there only when all was written. Tools are code and
     * not saved.
     *
     * @throws UzuException.InvalidState while a reply is made
     * @throws UzuException.InvalidArgument when it can't be written there
     * @throws UzuException.DiskFull when there isn't room enough
     */
    void save(Path path);

    /**
     * Goes on with a conversation that {@link #save} wrote, in place of this one, with this session's model and tools.
     *
     * @throws UzuException.InvalidState while a reply is made
     * @throws UzuException.InvalidArgument when there is no such file, or it is damaged, no conversation or of a later
     *     version: the details have its {@code path}; the session stays as it was
     */
    void restore(Path path);

    /**
     * Forgets the conversation.
     *
     * @throws UzuException.InvalidState while a reply is made
     */
    void reset();

    /** Cancels a running reply and frees the session. Idempotent. */
    @Override
    void close();
}
