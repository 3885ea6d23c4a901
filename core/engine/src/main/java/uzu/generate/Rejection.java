package uzu.generate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import uzu.backend.Candidates;
import uzu.backend.FloatExp;
import uzu.speculate.Chances;
import uzu.speculate.Draft;

/**
 * Judges drafted tokens by their chances (Leviathan, Kalman and Matias, "Fast inference from transformers via
 * speculative decoding", 2023; several drafts a node: Miao et al., "SpecInfer", 2024): the child drawn with chance q is
 * taken with min(1, p/q). When it is refused, p becomes the normalised positive part of p − q, and the next child was
 * drawn from what the refused one left of q. A child that wasn't drawn has q = 1. When all are refused, a token is drawn
 * from what is left of p. Random numbers follow from seed, position and purpose alone.
 */
final class Rejection {
    private static final int JUDGING = 1;
    private static final int DRAWING = 2;
    private static final int DRAFTING = 3;

    private final int[] words = new int[4];
    private int[] tokens = new int[1024];
    private double[] weights = new double[1024];
    private int size;
    private double total;

    /** The noise that draws a draft's tokens: nothing else has it. */
    static double lot(long seed, int rootPosition, int node, int token) {
        int[] words = new int[4];
        Philox.block(Philox.key(seed, rootPosition), token >>> 2, DRAFTING, node, 0, words);
        return GumbelNoise.ofWord(words[token & 3]);
    }

    /** Keeps the tokens that may be drawn, in rising order, each weighing e to its scaled logit. */
    void begin(Candidates candidates, Filter filter) {
        if (tokens.length < candidates.size) {
            tokens = new int[candidates.tokens.length];
            weights = new double[candidates.tokens.length];
        }
        size = 0;
        total = 0;
        for (int i = 0; i < candidates.size; i++) {
            if (filter.keeps(candidates.tokens[i], candidates.values[i])) {
                tokens[size] = candidates.tokens[i];
                weights[size] = FloatExp.of(candidates.values[i]);
                total += weights[size++];
            }
        }
    }

    /** The token after {@code node}, one of its children's or another. */
    int judge(long seed, int position, Draft draft, int node) {
        long key = Philox.key(seed, position);
        Chances chances = draft.chances(node);
        int rank = 0;
        for (int child = node + 1; child < draft.size(); child++) {
            if (draft.parent(child) != node) {
                continue;
            }
            int token = draft.token(child);
            double q = chances == null ? 1 : chances.chance(rank, rank);
            if (uniform(key, JUDGING, rank) * q * total < weight(token)) {
                return token;
            }
            double before = total;
            refuse(token, chances, rank);
            if (!(total > before * 1e-14)) {
                // Nothing is left but rounding errors: p was q, and is never refused.
                return token;
            }
            rank++;
        }
        return draw(uniform(key, DRAWING, 0));
    }

    private double weight(int token) {
        int at = Arrays.binarySearch(tokens, 0, size, token);
        return at < 0 ? 0 : weights[at];
    }

    private void refuse(int token, @Nullable Chances chances, int rank) {
        if (chances == null) {
            lower(token, total);
        } else {
            for (int i = rank; i < chances.size(); i++) {
                lower(chances.token(i), total * chances.chance(i, rank));
            }
        }
        total = 0;
        for (int i = 0; i < size; i++) {
            total += weights[i];
        }
    }

    private void lower(int token, double by) {
        int at = Arrays.binarySearch(tokens, 0, size, token);
        if (at >= 0) {
            weights[at] = Math.max(0, weights[at] - by);
        }
    }

    private int draw(double uniform) {
        double left = uniform * total;
        int last = -1;
        for (int i = 0; i < size; i++) {
            if (weights[i] > 0) {
                last = tokens[i];
                left -= weights[i];
                if (left < 0) {
                    break;
                }
            }
        }
        return last;
    }

    /** Below 1, of 53 bits. */
    private double uniform(long key, int purpose, int counter) {
        Philox.block(key, counter, purpose, 0, 0, words);
        long bits = (words[0] & 0xFFFFFFFFL) << 21 | words[1] >>> 11;
        return bits * 0x1p-53;
    }
}
