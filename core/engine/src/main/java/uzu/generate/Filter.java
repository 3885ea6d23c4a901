package uzu.generate;

import java.util.Arrays;
import uzu.backend.Candidates;
import uzu.backend.FloatExp;
import uzu.backend.Logits;
import uzu.backend.Tally;

/**
 * Top-k, top-p and min-p, each on the temperature-scaled distribution of all tokens. Each keeps a prefix of the tokens
 * ordered by falling value, then rising id; so together they keep the shortest of these, which its last token
 * describes. That token is found without sorting the vocabulary: tallies of ever narrower ranges of values tell the one
 * in which a prefix ends, until it holds few tokens.
 */
final class Filter {
    /** So many are sorted sooner than told apart. */
    private static final int FEW = 300;

    /** More only where many tokens have the same value. */
    private static final int MOST_TALLIES = 8;

    /** Beyond the last reach a whole vocabulary weighs 1e-8. */
    private final Tally coarse = new Tally(3, 6, 10, 15, 20, 32);

    private final Tally fine = new Tally(new float[Tally.SIZE]);
    private final Candidates candidates = new Candidates();
    private long[] sorted = new long[FEW];

    private float lastValue;
    private int lastToken;

    /** The smallest value kept. */
    float lastValue() {
        return lastValue;
    }

    boolean keeps(int token, float value) {
        return value > lastValue || (value == lastValue && token <= lastToken);
    }

    /**
     * Finds the last token kept, all tokens without logits of −∞ when nothing filters.
     *
     * @param vocabulary how many of the logits
     * @param largest of the logits
     */
    void find(Settings settings, Logits logits, int vocabulary, float largest) {
        float temperature = settings.temperature();
        lastValue = settings.minP() > 0 ? (float) StrictMath.log(settings.minP()) : -Float.MAX_VALUE;
        lastToken = Integer.MAX_VALUE;
        boolean byCount = settings.topK() < vocabulary;
        boolean byMass = settings.topP() < 1;
        if (byCount || byMass) {
            logits.tally(vocabulary, largest, temperature, byMass, coarse);
        }
        if (byCount) {
            cut(new Scan(logits, vocabulary, largest, temperature), false, settings.topK());
        }
        if (byMass) {
            double enough = settings.topP() * coarse.weights[Tally.SIZE - 1];
            cut(new Scan(logits, vocabulary, largest, temperature), true, enough);
        }
    }

    private record Scan(Logits logits, int vocabulary, float largest, float temperature) {
        void tally(boolean weigh, Tally into) {
            logits.tally(vocabulary, largest, temperature, weigh, into);
        }

        void gather(float least, float below, Candidates into) {
            logits.gather(vocabulary, largest, temperature, least, below, into);
        }
    }

    /** Cuts after the token with which the prefix has {@code enough} tokens, or mass. */
    private void cut(Scan scan, boolean byMass, double enough) {
        Tally tally = coarse;
        // What is known of the range: its ends as distances from the largest value, the prefix before it.
        float near = -1;
        float far = Float.MAX_VALUE;
        int countBefore = 0;
        double massBefore = 0;
        for (int tallies = 1; ; tallies++) {
            int end = 0;
            while (end < Tally.SIZE && (byMass ? tally.weights[end] : tally.counts[end]) < enough) {
                end++;
            }
            if (end > 0) {
                near = tally.reaches[end - 1];
                countBefore = tally.counts[end - 1];
                massBefore = tally.weights[end - 1];
            }
            if (-near < lastValue) {
                return;
            }
            if (end == Tally.SIZE) {
                break;
            }
            far = tally.reaches[end];
            int inside = tally.counts[end] - countBefore;
            if (inside <= FEW || tallies == MOST_TALLIES) {
                break;
            }
            part(Math.max(0, near), far);
            scan.tally(byMass, fine);
            tally = fine;
        }
        scan.gather(-far, -near, candidates);
        sort();
        int kept = (int) enough - countBefore;
        if (byMass) {
            // A token is kept while the mass before it is below what is enough.
            kept = 0;
            for (double before = massBefore; kept < candidates.size && before < enough; kept++) {
                before += FloatExp.of(value(sorted[kept]));
            }
        }
        if (kept > 0 && kept <= candidates.size) {
            cutAt(sorted[kept - 1]);
        }
    }

    private void part(float near, float far) {
        for (int i = 1; i < Tally.SIZE; i++) {
            fine.reaches[i - 1] = near + (far - near) * i / Tally.SIZE;
        }
        fine.reaches[Tally.SIZE - 1] = far;
    }

    private void sort() {
        if (sorted.length < candidates.size) {
            sorted = new long[candidates.size];
        }
        for (int i = 0; i < candidates.size; i++) {
            sorted[i] = key(candidates.values[i], candidates.tokens[i]);
        }
        Arrays.sort(sorted, 0, candidates.size);
    }

    private void cutAt(long key) {
        float value = value(key);
        int token = (int) key;
        if (value > lastValue || (value == lastValue && token < lastToken)) {
            lastValue = value;
            lastToken = token;
        }
    }

    /** Sorts by falling value, then rising id: for values at most 0 (and never −0) the bits grow as values fall. */
    private static long key(float value, int token) {
        return (Float.floatToRawIntBits(0f - value) & 0xFFFFFFFFL) << 32 | token;
    }

    private static float value(long key) {
        return 0f - Float.intBitsToFloat((int) (key >>> 32));
    }
}
