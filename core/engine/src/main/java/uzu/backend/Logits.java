package uzu.backend;

/**
 * The logits of one row, where they lie, with the scans over a whole vocabulary that sampling is made of. Each looks at
 * the tokens below {@code count}. A scaled logit is (logit − shift) / temperature + 0, every operation rounded to float
 * (adding 0 turns −0 into 0); {@code shift} is the largest logit, so none is above 0. For one thread, until the next
 * pass or the next row that is asked for.
 */
public interface Logits {
    float get(int token);

    /** Changes what this object says of the token; the pass's own result stays. */
    void set(int token, float logit);

    /** Copies the first {@code into.length} logits. */
    void copy(float[] into);

    /** The token with the largest logit, the lowest of several; −1 when a logit is not a number. */
    int largest(int count);

    /** Counts, and maybe weighs, the tokens near the likeliest; {@link Tally} says how. */
    void tally(int count, float shift, float temperature, boolean weigh, Tally into);

    /** The tokens whose scaled logit is in least ≤ … < below, in rising order, with their scaled logits. */
    void gather(int count, float shift, float temperature, float least, float below, Candidates into);

    /**
     * Of the tokens whose scaled logit is at least {@code least}, those that noise may make the largest. A token's noise
     * is −ln(−ln u) with u = (h + ½) / 2²⁴, h the upper 24 bits of word token % 4 of Philox4x32-10's block token / 4
     * under {@code key}. A token may be left out where its scaled logit and noise together are at most {@code best}, or
     * less than those of a token whose scaled logit is above {@code least}.
     */
    void contend(int count, float shift, float temperature, float least, double best, long key, Candidates into);

    /**
     * Sets the logits of those tokens below {@code count} to −∞ that aren't allowed.
     *
     * @param allowed a bit for each token, the lowest first; tokens beyond its end aren't allowed
     */
    void restrict(long[] allowed, int count);
}
