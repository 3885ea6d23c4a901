package uzu;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one reply is made. Immutable.
 *
 * @param tokenLimit most tokens to generate; null: up to the context length
 * @param grammar what the reply's text must be; null: free
 * @param lenient whether keywords of the grammar that can't be enforced are reported instead of refused
 * @param parallelToolCalls whether one reply may call several tools
 * @param toolTurnLimit how many times in a row calls are answered before the next is an {@link UzuException.ToolTurnLimit}
 * @param reasoningTokenLimit most tokens of thinking, which then ends; null: no limit of its own
 * @param stop texts that end the reply; the reply holds only what comes before
 * @param seed for this reply; null: as the session says
 * @param logprobs how many of the likeliest tokens to report beside each token drawn, 0 to 100; null: none and not
 *     that token's own
 */
public record ChatReplyConfig(
        @Nullable Integer tokenLimit,
        SamplingPolicy samplingPolicy,
        @Nullable Grammar grammar,
        boolean lenient,
        ToolChoice toolChoice,
        boolean parallelToolCalls,
        int toolTurnLimit,
        @Nullable Integer reasoningTokenLimit,
        List<String> stop,
        @Nullable Long seed,
        @Nullable Integer logprobs) {
    public ChatReplyConfig {
        if (tokenLimit != null && tokenLimit < 0) {
            throw new UzuException.InvalidArgument(
                    "tokenLimit must be 0 or more, not " + tokenLimit, Map.of("field", "tokenLimit"));
        }
        if (logprobs != null && (logprobs < 0 || logprobs > 100)) {
            throw new UzuException.InvalidArgument(
                    "logprobs must be from 0 to 100, not " + logprobs, Map.of("field", "logprobs"));
        }
        if (reasoningTokenLimit != null && reasoningTokenLimit < 0) {
            throw new UzuException.InvalidArgument(
                    "reasoningTokenLimit must be 0 or more, not " + reasoningTokenLimit,
                    Map.of("field", "reasoningTokenLimit"));
        }
        if (toolTurnLimit < 0) {
            throw new UzuException.InvalidArgument(
                    "toolTurnLimit must be 0 or more, not " + toolTurnLimit, Map.of("field", "toolTurnLimit"));
        }
        stop = List.copyOf(stop);
        if (stop.contains("")) {
            throw new UzuException.InvalidArgument("a stop string is empty", Map.of("field", "stop"));
        }
    }

    public static ChatReplyConfig create() {
        return new ChatReplyConfig(
                null,
                new SamplingPolicy.Default(),
                null,
                false,
                new ToolChoice.Auto(),
                true,
                10,
                null,
                List.of(),
                null,
                null);
    }

    public ChatReplyConfig withTokenLimit(@Nullable Integer tokenLimit) {
        return new ChatReplyConfig(
                tokenLimit,
                samplingPolicy,
                grammar,
                lenient,
                toolChoice,
                parallelToolCalls,
                toolTurnLimit,
                reasoningTokenLimit,
                stop,
                seed,
                logprobs);
    }

    public ChatReplyConfig withSamplingPolicy(SamplingPolicy samplingPolicy) {
        return new ChatReplyConfig(
                tokenLimit,
                samplingPolicy,
                grammar,
                lenient,
                toolChoice,
                parallelToolCalls,
                toolTurnLimit,
                reasoningTokenLimit,
                stop,
                seed,
                logprobs);
    }

    /** Short for a {@link SamplingPolicy.Custom} policy. */
    public ChatReplyConfig withSamplingMethod(SamplingMethod method) {
        return withSamplingPolicy(new SamplingPolicy.Custom(method));
    }

    public ChatReplyConfig withGrammar(@Nullable Grammar grammar) {
        return new ChatReplyConfig(
                tokenLimit,
                samplingPolicy,
                grammar,
                lenient,
                toolChoice,
                parallelToolCalls,
                toolTurnLimit,
                reasoningTokenLimit,
                stop,
                seed,
                logprobs);
    }

    public ChatReplyConfig withLenient(boolean lenient) {
        return new ChatReplyConfig(
                tokenLimit,
                samplingPolicy,
                grammar,
                lenient,
                toolChoice,
                parallelToolCalls,
                toolTurnLimit,
                reasoningTokenLimit,
                stop,
                seed,
                logprobs);
    }

    public ChatReplyConfig withToolChoice(ToolChoice toolChoice) {
        return new ChatReplyConfig(
                tokenLimit,
                samplingPolicy,
                grammar,
                lenient,
                toolChoice,
                parallelToolCalls,
                toolTurnLimit,
                reasoningTokenLimit,
                stop,
                seed,
                logprobs);
    }

    public ChatReplyConfig withParallelToolCalls(boolean parallelToolCalls) {
        return new ChatReplyConfig(
                tokenLimit,
                samplingPolicy,
                grammar,
                lenient,
                toolChoice,
                parallelToolCalls,
                toolTurnLimit,
                reasoningTokenLimit,
                stop,
                seed,
                logprobs);
    }

    public ChatReplyConfig withToolTurnLimit(int toolTurnLimit) {
        return new ChatReplyConfig(
                tokenLimit,
                samplingPolicy,
                grammar,
                lenient,
                toolChoice,
                parallelToolCalls,
                toolTurnLimit,
                reasoningTokenLimit,
                stop,
                seed,
                logprobs);
    }

    public ChatReplyConfig withReasoningTokenLimit(@Nullable Integer reasoningTokenLimit) {
        return new ChatReplyConfig(
                tokenLimit,
                samplingPolicy,
                grammar,
                lenient,
                toolChoice,
                parallelToolCalls,
                toolTurnLimit,
                reasoningTokenLimit,
                stop,
                seed,
                logprobs);
    }

    public ChatReplyConfig withStop(List<String> stop) {
        return new ChatReplyConfig(
                tokenLimit,
                samplingPolicy,
                grammar,
                lenient,
                toolChoice,
                parallelToolCalls,
                toolTurnLimit,
                reasoningTokenLimit,
                stop,
                seed,
                logprobs);
    }

    public ChatReplyConfig withSeed(@Nullable Long seed) {
        return new ChatReplyConfig(
                tokenLimit,
                samplingPolicy,
                grammar,
                lenient,
                toolChoice,
                parallelToolCalls,
                toolTurnLimit,
                reasoningTokenLimit,
                stop,
                seed,
                logprobs);
    }

    public ChatReplyConfig withLogprobs(@Nullable Integer logprobs) {
        return new ChatReplyConfig(
                tokenLimit,
                samplingPolicy,
                grammar,
                lenient,
                toolChoice,
                parallelToolCalls,
                toolTurnLimit,
                reasoningTokenLimit,
                stop,
                seed,
                logprobs);
    }
}
