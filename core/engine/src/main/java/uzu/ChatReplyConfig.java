package uzu;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one reply is made. Immutable.
 *
 * @param tokenLimit most tokens to generate; null: up to the context length
 * @param stop texts that end the reply; the reply holds only what comes before
 * @param seed for this reply; null: as the session says
 * @param logprobs how many of the likeliest tokens to report beside each token drawn, 0 to 100; null: none and not
 *     that token's own
 */
public record ChatReplyConfig(
        @Nullable Integer tokenLimit,
        SamplingPolicy samplingPolicy,
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
        stop = List.copyOf(stop);
        if (stop.contains("")) {
            throw new UzuException.InvalidArgument("a stop string is empty", Map.of("field", "stop"));
        }
    }

    public static ChatReplyConfig create() {
        return new ChatReplyConfig(null, new SamplingPolicy.Default(), List.of(), null, null);
    }

    public ChatReplyConfig withTokenLimit(@Nullable Integer tokenLimit) {
        return new ChatReplyConfig(tokenLimit, samplingPolicy, stop, seed, logprobs);
    }

    public ChatReplyConfig withSamplingPolicy(SamplingPolicy samplingPolicy) {
        return new ChatReplyConfig(tokenLimit, samplingPolicy, stop, seed, logprobs);
    }

    /** Short for a {@link SamplingPolicy.Custom} policy. */
    public ChatReplyConfig withSamplingMethod(SamplingMethod method) {
        return withSamplingPolicy(new SamplingPolicy.Custom(method));
    }

    public ChatReplyConfig withStop(List<String> stop) {
        return new ChatReplyConfig(tokenLimit, samplingPolicy, stop, seed, logprobs);
    }

    public ChatReplyConfig withSeed(@Nullable Long seed) {
        return new ChatReplyConfig(tokenLimit, samplingPolicy, stop, seed, logprobs);
    }

    public ChatReplyConfig withLogprobs(@Nullable Integer logprobs) {
        return new ChatReplyConfig(tokenLimit, samplingPolicy, stop, seed, logprobs);
    }
}
