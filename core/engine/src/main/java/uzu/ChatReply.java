package uzu;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The model's answer.
 *
 * @param finishReason null while the reply is being made
 * @param unenforced keywords of a lenient grammar that the reply may violate
 * @param logprobs one for each token generated, when asked for
 */
public record ChatReply(
        ChatMessage message,
        ChatReplyStats stats,
        @Nullable ChatReplyFinishReason finishReason,
        List<String> unenforced,
        List<TokenLogprob> logprobs) {
    public ChatReply {
        unenforced = List.copyOf(unenforced);
        logprobs = List.copyOf(logprobs);
    }
}
