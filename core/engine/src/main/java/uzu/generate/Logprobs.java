package uzu.generate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import uzu.TokenLogprob;
import uzu.backend.FloatExp;
import uzu.backend.Logits;
import uzu.tokenizer.Tokenizer;

/** Log probabilities of a model's own distribution, before anything that sampling does. For one thread. */
final class Logprobs {
    private final Tokenizer tokenizer;
    private final int size;
    private final float[] logits;
    private final float[] exponentials;
    private double logSum;
    private int[] likeliest = new int[0];

    Logprobs(Tokenizer tokenizer, int size) {
        this.tokenizer = tokenizer;
        this.size = size;
        this.logits = new float[size];
        this.exponentials = new float[size];
    }

    /** Keeps what {@link #of} will need, before sampling changes the logits. */
    void read(Logits unchanged, int alternatives) {
        unchanged.copy(logits);
        float largest = Float.NEGATIVE_INFINITY;
        for (int token = 0; token < size; token++) {
            largest = Math.max(largest, logits[token]);
        }
        logSum = largest + StrictMath.log(FloatExp.all(logits, largest, exponentials, size));
        select(Math.min(alternatives, size));
    }

    TokenLogprob of(int token) {
        List<TokenLogprob> alternatives = new ArrayList<>(likeliest.length);
        for (int alternative : likeliest) {
            alternatives.add(single(alternative, List.of()));
        }
        return single(token, alternatives);
    }

    private TokenLogprob single(int token, List<TokenLogprob> alternatives) {
        String text = new String(tokenizer.bytes(token), StandardCharsets.UTF_8);
        return new TokenLogprob(token, text, logits[token] - logSum, alternatives);
    }

    /** The {@code count} likeliest, by insertion: few are asked for, and few tokens get in. */
    private void select(int count) {
        likeliest = new int[count];
        int filled = 0;
        for (int token = 0; token < size; token++) {
            if (filled == count && (count == 0 || logits[token] <= logits[likeliest[count - 1]])) {
                continue;
            }
            int at = filled < count ? filled++ : count - 1;
            while (at > 0 && logits[likeliest[at - 1]] < logits[token]) {
                likeliest[at] = likeliest[at - 1];
                at--;
            }
            likeliest[at] = token;
        }
    }
}
