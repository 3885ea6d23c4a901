package uzu.engine;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import uzu.CancelToken;
import uzu.ChatReplyConfig;
import uzu.SamplingMethod;
import uzu.SamplingPolicy;
import uzu.SamplingSeed;
import uzu.UzuException;
import uzu.generate.Request;
import uzu.speculate.Constraint;
import uzu.speculate.Speculation;

/** Turns what a caller asks for into what an instance is told. */
final class Requests {
    /** Fresh seeds stay exact as the numbers of JavaScript and JSON. */
    private static final long SEEDS = 1L << 53;

    private Requests() {}

    static Request of(
            int[] prompt,
            ChatReplyConfig config,
            SamplingSeed sessionSeed,
            SamplingMethod recommended,
            int contextLength,
            Speculation speculation,
            CancelToken cancelToken,
            long started) {
        if (config.grammar() != null) {
            throw new UzuException.GrammarUnsupported("grammars can't be followed yet", Map.of("field", "grammar"));
        }
        SamplingMethod method = switch (config.samplingPolicy()) {
            case SamplingPolicy.Default usual -> recommended;
            case SamplingPolicy.Custom custom -> custom.method();
        };
        Integer limit = config.tokenLimit();
        return new Request(
                prompt,
                method,
                seed(config.seed(), sessionSeed),
                limit == null ? Integer.MAX_VALUE : limit,
                contextLength,
                config.stop(),
                Set.of(),
                config.logprobs(),
                speculation,
                Constraint.NONE,
                cancelToken,
                started);
    }

    /** The reply's own, else as the session says. */
    static long seed(@Nullable Long replySeed, SamplingSeed sessionSeed) {
        if (replySeed != null) {
            return replySeed;
        }
        return switch (sessionSeed) {
            case SamplingSeed.Default fresh -> ThreadLocalRandom.current().nextLong(SEEDS);
            case SamplingSeed.Custom custom -> custom.seed();
        };
    }
}
