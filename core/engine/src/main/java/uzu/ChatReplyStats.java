package uzu;

import org.jspecify.annotations.Nullable;

/**
 * Figures of a reply. Times are in seconds from the call of {@link ChatSession#reply}, template and tokenizer included.
 *
 * @param timeToFirstToken null before the first token
 * @param prefillTokensPerSecond computed prompt tokens by the time to the first token
 * @param generateTokensPerSecond from the first token to the last; null below two tokens
 * @param tokensCountInput tokens of the prompt, cached ones included
 * @param tokensCountOutput tokens generated, a stop token included
 * @param tokensCountCached prompt tokens that needn't be computed again
 * @param memoryUsedBytes weights, scratch, keys and values of the instance; null before the last chunk
 * @param speculatorStats null without speculation
 * @param seed the seed that repeats this reply; null when it was made elsewhere
 */
public record ChatReplyStats(
        double duration,
        @Nullable Double timeToFirstToken,
        @Nullable Double prefillTokensPerSecond,
        @Nullable Double generateTokensPerSecond,
        @Nullable Integer tokensCountInput,
        @Nullable Integer tokensCountOutput,
        @Nullable Integer tokensCountCached,
        @Nullable Long memoryUsedBytes,
        @Nullable ChatReplySpeculatorStats speculatorStats,
        @Nullable Long seed) {
    /** Tokens of prompt and reply. */
    public int tokensCount() {
        return (tokensCountInput == null ? 0 : tokensCountInput) + (tokensCountOutput == null ? 0 : tokensCountOutput);
    }
}
