package uzu.engine;

import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import uzu.CancelToken;
import uzu.ChatReplyConfig;
import uzu.Grammar;
import uzu.SamplingMethod;
import uzu.SamplingPolicy;
import uzu.SamplingSeed;
import uzu.generate.Request;
import uzu.grammar.GrammarCompiler;
import uzu.grammar.Syntax;
import uzu.speculate.Constraint;
import uzu.speculate.Speculation;

/** Turns what a caller asks for into what an instance is told. */
final class Requests {
    /** Fresh seeds stay exact as the numbers of JavaScript and JSON. */
    private static final long SEEDS = 1L << 53;

    private Requests() {}

    static Request of(
            int[] prompt,
            Set<String> visible,
            ChatReplyConfig config,
            SamplingSeed sessionSeed,
            SamplingMethod recommended,
            int contextLength,
            Speculation speculation,
            Constraint constraint,
            CancelToken cancelToken,
            long started) {
        SamplingMethod method = switch (config.samplingPolicy()) {
            case SamplingPolicy.Default usual -> recommended;
            case SamplingPolicy.Custom custom -> custom.method();
        };
        Integer limit = config.tokenLimit();
        int most = limit == null ? Integer.MAX_VALUE : limit;
        return new Request(
                prompt,
                method,
                seed(config.seed(), sessionSeed),
                most,
                contextLength,
                config.stop(),
                visible,
                config.logprobs(),
                speculation,
                constraint,
                cancelToken,
                started);
    }

    /** Most tokens of the reply. */
    static int tokensLeft(int[] prompt, ChatReplyConfig config, int contextLength) {
        Integer limit = config.tokenLimit();
        int room = contextLength - prompt.length;
        return limit == null ? room : Math.min(limit, room);
    }

    /** What a raw text may be continued with. */
    static Constraint constraint(ChatReplyConfig config, GrammarCompiler grammars, int tokensLeft) {
        Grammar grammar = config.grammar();
        return grammar == null
                ? Constraint.NONE
                : grammars.compile(Syntax.of(grammar), config.lenient()).start(tokensLeft);
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
