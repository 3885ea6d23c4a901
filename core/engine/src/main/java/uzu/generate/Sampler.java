package uzu.generate;

import java.util.Map;
import uzu.UzuException;

/**
 * Draws tokens. The token for a position is argmax(filtered logits + gumbel(seed, position, token)), lowest id first:
 * a pure function of seed, position, settings, path and logits. Holds scratch memory; for one thread.
 */
final class Sampler {
    private final int size;
    private final Penalties penalties;
    private final Filter filter;
    private final int[] words = new int[4];

    /** @param size tokens that may be drawn: ids below it */
    Sampler(int size) {
        this.size = size;
        this.penalties = new Penalties(size);
        this.filter = new Filter(size);
    }

    int size() {
        return size;
    }

    /**
     * The token after {@code path}.
     *
     * @param replyStart where the reply begins in {@code path}
     * @param logits of at least {@code size} tokens; changed
     * @throws UzuException.Internal when a logit is not a number, or no token can be drawn
     */
    int draw(Settings settings, long seed, Tokens path, int replyStart, float[] logits) {
        int best = argmax(logits);
        if (settings.adjustsLogits()) {
            penalties.apply(settings, path, replyStart, logits);
            best = argmax(logits);
        }
        if (settings.temperature() == 0) {
            return best;
        }
        scale(logits, logits[best], settings.temperature());
        float lastValue = Float.NEGATIVE_INFINITY;
        int lastToken = Integer.MAX_VALUE;
        if (settings.filters()) {
            filter.find(settings, logits, size);
            lastValue = filter.lastValue();
            lastToken = filter.lastToken();
        }
        return noisyArgmax(Philox.key(seed, path.size()), best, logits, lastValue, lastToken);
    }

    private int argmax(float[] logits) {
        int best = 0;
        float largest = Float.NEGATIVE_INFINITY;
        boolean numbers = true;
        for (int token = 0; token < size; token++) {
            float logit = logits[token];
            numbers &= !Float.isNaN(logit);
            if (logit > largest) {
                largest = logit;
                best = token;
            }
        }
        if (!numbers || Float.isInfinite(largest)) {
            throw new UzuException.Internal(
                    "the model's logits are not finite numbers, so no token can be drawn", Map.of("value", "logits"));
        }
        return best;
    }

    /** Relative to the largest, so that a small temperature can't overflow; adding 0 turns −0 into 0. */
    private void scale(float[] logits, float largest, float temperature) {
        for (int token = 0; token < size; token++) {
            logits[token] = (logits[token] - largest) / temperature + 0f;
        }
    }

    /** Tokens that can't win even with the largest noise take none: a block of noise is made for few of four tokens. */
    private int noisyArgmax(long key, int likeliest, float[] scaled, float lastValue, int lastToken) {
        Philox.block(key, likeliest >>> 2, words);
        int best = likeliest;
        double largest = scaled[likeliest] + GumbelNoise.ofWord(words[likeliest & 3]);
        for (int first = 0; first < size; first += 4) {
            int end = Math.min(first + 4, size);
            double least = Math.max(lastValue, largest - GumbelNoise.MAXIMUM);
            boolean drawn = false;
            for (int token = first; token < end; token++) {
                float value = scaled[token];
                if (value < least || (value == lastValue && token > lastToken) || value == Float.NEGATIVE_INFINITY) {
                    continue;
                }
                if (!drawn) {
                    Philox.block(key, first >>> 2, words);
                    drawn = true;
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
        }
        return best;
    }
}
