package uzu;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text continued, without the text it continues.
 *
 * @param finishReason null while it is being made
 * @param logprobs one for each token generated, when asked for
 */
public record Completion(
        String text, ChatReplyStats stats, @Nullable ChatReplyFinishReason finishReason, List<TokenLogprob> logprobs) {
    public Completion {
        logprobs = List.copyOf(logprobs);
    }
}
