package uzu.generate;

import java.util.Map;
import uzu.UzuException;
import uzu.backend.Candidates;
import uzu.backend.Executable;
import uzu.backend.Logits;
import uzu.speculate.Constraint;
import uzu.speculate.Draft;

/**
 * Draws tokens. The token for a position is argmax(filtered logits + gumbel(seed, position, token)), lowest id first:
 * a pure function of seed, position, settings, path and logits. Holds scratch memory; for one thread.
 */
final class Sampler {
    /** A look at a token is a scan over the logits and a few steps of a grammar; a mask costs some of these. */
    private static final int FIRST_LOOKS = 3;

    private final int size;
    private final Penalties penalties;
    private final Filter filter;
    private final Rejection rejection = new Rejection();
    private final Candidates contenders = new Candidates();
    private final int[] words = new int[4];

    /** @param size tokens that may be drawn: ids below it */
    Sampler(int size) {
        this.size = size;
        this.penalties = new Penalties(size);
        this.filter = new Filter();
    }

    int size() {
        return size;
    }

    int draw(Settings settings, long seed, Tokens path, int replyStart, Logits logits) {
        return draw(settings, seed, path, replyStart, Constraint.NONE, logits);
    }

    /**
     * The token after {@code path}.
     *
     * @param replyStart where the reply begins in {@code path}
     * @param constraint what may come after {@code path}
     * @param logits of at least {@code size} tokens; changed
     * @throws UzuException.Internal when a logit is not a number, or no token can be drawn
     */
    int draw(Settings settings, long seed, Tokens path, int replyStart, Constraint constraint, Logits logits) {
        int best = prepare(settings, path, replyStart, constraint, logits);
        if (settings.temperature() == 0) {
            return best;
        }
        filter.find(settings, logits, size, logits.get(best));
        return noisyArgmax(Philox.key(seed, path.size()), best, settings.temperature(), logits);
    }

    /** What {@link #draw} draws greedily: {@code best} of {@link Executable#best}. */
    int greedy(int best) {
        if (best < 0) {
            throw new UzuException.Internal(
                    "the model's logits are not finite numbers, so no token can be drawn", Map.of("value", "logits"));
        }
        return best;
    }

    /** As {@link #draw}, one of the children of the draft's {@code node} being accepted with min(1, p/q). */
    int judge(
            Settings settings,
            long seed,
            Tokens path,
            int replyStart,
            Constraint constraint,
            Logits logits,
            Draft draft,
            int node) {
        if (settings.temperature() == 0 || draft.children(node) == 0) {
            return draw(settings, seed, path, replyStart, constraint, logits);
        }
        int best = prepare(settings, path, replyStart, constraint, logits);
        float shift = logits.get(best);
        filter.find(settings, logits, size, shift);
        logits.gather(size, shift, settings.temperature(), filter.lastValue(), 1, contenders);
        rejection.begin(contenders, filter);
        return rejection.judge(seed, path.size(), draft, node);
    }

    /** The likeliest token, once everything that changes logits has done so. */
    private int prepare(Settings settings, Tokens path, int replyStart, Constraint constraint, Logits logits) {
        int best = likeliest(logits);
        if (settings.adjustsLogits()) {
            penalties.apply(settings, path, replyStart, logits);
            best = likeliest(logits);
        }
        return constraint.isFree() ? best : likeliestAllowed(settings, best, constraint, logits);
    }

    /** A greedy draw needs no mask while what the model likes best may come, and the rest is only seen by filters. */
    private int likeliestAllowed(Settings settings, int likeliest, Constraint constraint, Logits logits) {
        int best = likeliest;
        for (int i = 0; i < FIRST_LOOKS && settings.temperature() == 0; i++) {
            if (constraint.accepts(best)) {
                return best;
            }
            logits.set(best, Float.NEGATIVE_INFINITY);
            int next = logits.largest(size);
            if (Float.isInfinite(logits.get(next))) {
                break;
            }
            best = next;
        }
        constraint.mask(logits, size);
        return likeliest(logits);
    }

    private int likeliest(Logits logits) {
        int best = logits.largest(size);
        return greedy(best < 0 || Float.isInfinite(logits.get(best)) ? -1 : best);
    }

    /** Relative to the likeliest token's logit, so that a small temperature can't overflow. */
    private int noisyArgmax(long key, int likeliest, float temperature, Logits logits) {
        int block = likeliest >>> 2;
        Philox.block(key, block, words);
        int best = likeliest;
        double largest = GumbelNoise.ofWord(words[likeliest & 3]);
        logits.contend(size, logits.get(likeliest), temperature, filter.lastValue(), largest, key, contenders);
        for (int i = 0; i < contenders.size; i++) {
            int token = contenders.tokens[i];
            float value = contenders.values[i];
            if (value < largest - GumbelNoise.MAXIMUM || !filter.keeps(token, value)) {
                continue;
            }
            if (block != token >>> 2) {
                block = token >>> 2;
                Philox.block(key, block, words);
            }
            int word = words[token & 3];
            if (value + GumbelNoise.boundOfWord(word) < largest) {
                continue;
            }
            double noisy = value + GumbelNoise.ofWord(word);
            if (noisy > largest || (noisy == largest && token < best)) {
                largest = noisy;
                best = token;
            }
        }
        return best;
    }
}
