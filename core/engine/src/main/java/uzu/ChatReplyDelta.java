package uzu;

import java.util.List;

/** What to append to a message. */
public record ChatReplyDelta(String text, String reasoning, List<ToolCallDelta> toolCalls) {
    public ChatReplyDelta {
        toolCalls = List.copyOf(toolCalls);
    }

    /**
     * What to append to a call.
     *
     * @param index which of the message's calls
     * @param identifier the same in each delta of a call
     * @param name whole in the first delta of a call, empty in others
     * @param arguments JSON text to append
     */
    public record ToolCallDelta(int index, String identifier, String name, String arguments) {}
}
