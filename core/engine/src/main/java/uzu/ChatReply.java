package uzu;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The model's answer.
 *
 * @param finishReason null while the reply is being made
 * @param logprobs one for each token generated, when asked for
 */
public record ChatReply(
        ChatMessage message,
        ChatReplyStats stats,
        @Nullable ChatReplyFinishReason finishReason,
        List<TokenLogprob> logprobs) {
    public ChatReply {
        logprobs = List.copyOf(logprobs);
    }
}
