package uzu.generate;

import java.util.Arrays;

/**
 * Top-k, top-p and min-p, each on the temperature-scaled distribution of all tokens. Each keeps a prefix of the tokens
 * ordered by falling value, then rising id; so together they keep the shortest of these, which its last token
 * describes. That token is found without sorting the vocabulary: candidates are counted (and their mass summed) in bins
 * of 1/64 nat, and only the bin in which a filter ends is sorted. Candidates are the tokens near the likeliest one, as
 * far as a filter reaches.
 */
final class Filter {
    /** How far below the likeliest token candidates are looked for, one after the other. */
    private static final float[] REACHES = {-8, -16, -Float.MAX_VALUE};

    private static final int BINS = 4096;
    private static final float BINS_PER_NAT = 64;

    private final int[] candidates;
    private final float[] exponentials;
    private final int[] counts = new int[BINS];
    private final double[] masses = new double[BINS];
    private int size;
    private long[] sorted = new long[1024];

    private float lastValue;
    private int lastToken;

    /** @param vocabulary most tokens */
    Filter(int vocabulary) {
        candidates = new int[vocabulary];
        exponentials = new float[vocabulary];
    }

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
     * @param scaled of {@code vocabulary} tokens, (logit − largest logit) / temperature; −∞ for tokens never drawn
     */
    void find(Settings settings, float[] scaled, int vocabulary) {
        lastValue = settings.minP() > 0 ? (float) StrictMath.log(settings.minP()) : Float.NEGATIVE_INFINITY;
        lastToken = Integer.MAX_VALUE;
        boolean byCount = settings.topK() < vocabulary;
        boolean byMass = settings.topP() < 1;
        if (!byCount && !byMass) {
            return;
        }
        double enough = byMass ? settings.topP() * FloatExp.all(scaled, 0, exponentials, vocabulary) : 0;
        for (float reach : REACHES) {
            gather(scaled, vocabulary, reach);
            fillBins(scaled, byMass);
            if ((!byCount || size >= settings.topK())
                    && (!byMass || Arrays.stream(masses).sum() >= enough)) {
                break;
            }
        }
        if (byCount) {
            cutByCount(settings.topK(), scaled);
        }
        if (byMass) {
            cutByMass(enough, scaled);
        }
    }

    private void gather(float[] scaled, int vocabulary, float least) {
        int n = 0;
        for (int token = 0; token < vocabulary; token++) {
            if (scaled[token] >= least) {
                candidates[n++] = token;
            }
        }
        size = n;
    }

    private void fillBins(float[] scaled, boolean withMass) {
        Arrays.fill(counts, 0);
        Arrays.fill(masses, 0);
        for (int i = 0; i < size; i++) {
            float value = scaled[candidates[i]];
            int bin = bin(value);
            counts[bin]++;
            if (withMass) {
                masses[bin] += exponentials[candidates[i]];
            }
        }
    }

    private void cutByCount(int k, float[] scaled) {
        int before = 0;
        for (int bin = 0; bin < BINS; bin++) {
            if (before + counts[bin] >= k) {
                sortBin(bin, scaled);
                cutAt(sorted[k - before - 1]);
                return;
            }
            before += counts[bin];
        }
    }

    private void cutByMass(double enough, float[] scaled) {
        double before = 0;
        for (int bin = 0; bin < BINS; bin++) {
            if (counts[bin] > 0 && before + masses[bin] >= enough) {
                sortBin(bin, scaled);
                int kept = 0;
                // A token is kept while the mass before it is below p; the sums by bin may round apart from these.
                while (kept < counts[bin] && before < enough) {
                    before += exponentials[(int) sorted[kept++]];
                }
                cutAt(sorted[kept - 1]);
                return;
            }
            before += masses[bin];
        }
    }

    private void sortBin(int bin, float[] scaled) {
        if (sorted.length < counts[bin]) {
            sorted = new long[counts[bin]];
        }
        int n = 0;
        for (int i = 0; i < size; i++) {
            int token = candidates[i];
            if (bin(scaled[token]) == bin) {
                sorted[n++] = key(scaled[token], token);
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
