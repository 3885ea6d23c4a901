package uzu.generate;

import java.util.Arrays;

/**
 * Top-k, top-p and min-p, each on the temperature-scaled distribution of all tokens. Each keeps a prefix of the tokens
 * ordered by falling value, then rising id; so together they keep the shortest of these, which its last token
 * describes. That token is found without sorting the vocabulary: tokens are counted (and their mass summed) in bins of
 * 1/64 nat, and only the bin in which a filter ends is sorted.
 */
final class Filter {
    private static final int BINS = 4096;
    private static final float BINS_PER_NAT = 64;

    private final int[] counts = new int[BINS];
    private final double[] masses = new double[BINS];
    private long[] sorted = new long[1024];

    private float lastValue;
    private int lastToken;

    /** The smallest value kept. */
    float lastValue() {
        return lastValue;
    }

    /** Of tokens with the smallest value, the highest id kept. */
    int lastToken() {
        return lastToken;
    }

    /**
     * Finds the last token kept.
     *
     * @param scaled of {@code size} tokens, (logit − largest logit) / temperature; −∞ for tokens never drawn
     */
    void find(Settings settings, float[] scaled, int size) {
        lastValue = settings.minP() > 0 ? (float) StrictMath.log(settings.minP()) : Float.NEGATIVE_INFINITY;
        lastToken = Integer.MAX_VALUE;
        boolean topP = settings.topP() < 1;
        if (!topP && settings.topK() >= size) {
            return;
        }
        fillBins(scaled, size, topP);
        if (settings.topK() < size) {
            cutByCount(settings.topK(), scaled, size);
        }
        if (topP) {
            cutByMass(settings.topP(), scaled, size);
        }
    }

    private void fillBins(float[] scaled, int size, boolean withMass) {
        Arrays.fill(counts, 0);
        Arrays.fill(masses, 0);
        for (int token = 0; token < size; token++) {
            float value = scaled[token];
            if (value > Float.NEGATIVE_INFINITY) {
                int bin = bin(value);
                counts[bin]++;
                if (withMass) {
                    masses[bin] += FloatExp.of(value);
                }
            }
        }
    }

    private void cutByCount(int k, float[] scaled, int size) {
        int before = 0;
        for (int bin = 0; bin < BINS; bin++) {
            if (before + counts[bin] >= k) {
                sortBin(bin, scaled, size);
                cutAt(sorted[k - before - 1]);
                return;
            }
            before += counts[bin];
        }
    }

    private void cutByMass(double p, float[] scaled, int size) {
        double total = 0;
        for (double mass : masses) {
            total += mass;
        }
        double enough = p * total;
        double before = 0;
        for (int bin = 0; bin < BINS; bin++) {
            if (counts[bin] > 0 && before + masses[bin] >= enough) {
                sortBin(bin, scaled, size);
                int kept = 0;
                // A token is kept while the mass before it is below p; the sums by bin may round apart from these.
                while (kept < counts[bin] && before < enough) {
                    before += FloatExp.of(value(sorted[kept++]));
                }
                cutAt(sorted[kept - 1]);
                return;
            }
            before += masses[bin];
        }
    }

    private void sortBin(int bin, float[] scaled, int size) {
        if (sorted.length < counts[bin]) {
            sorted = new long[counts[bin]];
        }
        int n = 0;
        for (int token = 0; token < size; token++) {
            float value = scaled[token];
            if (value > Float.NEGATIVE_INFINITY && bin(value) == bin) {
                sorted[n++] = key(value, token);
            }
        }
        Arrays.sort(sorted, 0, n);
    }

    private void cutAt(long key) {
        float value = value(key);
        int token = (int) key;
        if (value > lastValue || (value == lastValue && token < lastToken)) {
            lastValue = value;
            lastToken = token;
        }
    }

    /** Values are at most 0. */
    private static int bin(float value) {
        return (int) Math.min(-value * BINS_PER_NAT, BINS - 1f);
    }

    /** Sorts by falling value, then rising id: for values at most 0 (and never −0) the bits grow as values fall. */
    private static long key(float value, int token) {
        return (Float.floatToRawIntBits(0f - value) & 0xFFFFFFFFL) << 32 | token;
    }

    private static float value(long key) {
        return 0f - Float.intBitsToFloat((int) (key >>> 32));
    }
}
