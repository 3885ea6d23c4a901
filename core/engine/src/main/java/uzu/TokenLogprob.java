package uzu;

import java.util.List;

/**
 * How likely a token was in the model's own distribution: before bias, penalties, temperature and filters.
 *
 * @param text the token's own text; half a character shows as U+FFFD
 * @param logprob natural logarithm of the probability
 * @param alternatives the likeliest tokens, likeliest first, without alternatives of their own
 */
public record TokenLogprob(int token, String text, double logprob, List<TokenLogprob> alternatives) {
    public TokenLogprob {
        alternatives = List.copyOf(alternatives);
    }
}
