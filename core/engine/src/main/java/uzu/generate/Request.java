package uzu.generate;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.CancelToken;
import uzu.SamplingMethod;
import uzu.speculate.Constraint;
import uzu.speculate.Speculation;

/**
 * What to generate.
 *
 * @param prompt all tokens of the conversation, at least one; those already computed for the context aren't again
 * @param tokenLimit most tokens to generate
 * @param contextLength most tokens of prompt and reply
 * @param visible control tokens that are part of the text, as they are spelled
 * @param logprobs alternatives to report with each token; null: none and not the token's own
 * @param constraint what the reply's first token may be, and so on
 * @param started {@link System#nanoTime} of the call
 */
public record Request(
        int[] prompt,
        SamplingMethod method,
        long seed,
        int tokenLimit,
        int contextLength,
        List<String> stop,
        Set<String> visible,
        @Nullable Integer logprobs,
        Speculation speculation,
        Constraint constraint,
        CancelToken cancelToken,
        long started) {}
