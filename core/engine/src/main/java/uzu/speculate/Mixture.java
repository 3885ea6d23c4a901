package uzu.speculate;

import java.util.Arrays;
import java.util.List;

/**
 * One chance of what several drafters say of a token: a logistic mixture of their log odds, with how often the token
 * occurred in the conversation. Two who agree make it likelier than either says, and one contradicted less likely. The
 * weights depend on how sure lookup is, begin with what 250 replies of SmolLM2 taught, a third of them without tables, and
 * go on learning from each token drawn. Those of a network begin between recall's and the tables'.
 */
final class Mixture {
    /** Those whose words are mixed. */
    static final List<Class<? extends Drafter>> SOURCES =
            List.of(Lookup.class, Recall.class, FeatureDrafter.class, Tables.class);

    private static final int LOOKUP = 0;
    private static final int MOST = SOURCES.size() * Proposals.MOST;
    private static final float RATE = 0.02f;

    /** Chances count as no less than this and no more than its complement. */
    private static final float LEAST = 0.002f;

    /** How sure lookup is of its likeliest token; below the first it is another case than saying nothing. */
    private static final float[] SURE = {0.25f, 0.5f, 0.8f};

    private static final int FEATURES = 2 + 2 * SOURCES.size();

    /**
     * Weights of 1, then of each source's log odds and of having been proposed by it, then of ln(1 + occurrences); where
     * lookup has nothing, where others have nothing, by how sure lookup is.
     */
    private static final float[][] START = {
        {-2.66f, 0.80f, 2.00f, 0.63f, 1.43f, 0.70f, 1.50f, 0.92f, 2.26f, 0.44f},
        {-2.50f, 1.02f, 2.00f, 0.50f, 1.20f, 0.70f, 1.50f, 0.60f, 1.60f, 0.41f},
        {-4.16f, 0.74f, 2.57f, 0.74f, 2.46f, 0.70f, 1.50f, 0.76f, 2.97f, 0.30f},
        {-3.47f, 0.75f, 2.15f, 0.62f, 1.43f, 0.70f, 1.50f, 0.79f, 2.47f, 0.37f},
        {-3.81f, 0.82f, 3.04f, 0.55f, 1.23f, 0.70f, 1.50f, 0.55f, 1.51f, 0.31f},
        {-4.53f, 1.14f, 3.57f, 0.44f, 0.79f, 0.70f, 1.50f, 0.54f, 0.96f, 0.33f},
    };

    private final float[][] weights = new float[START.length][];
    private final float[] features = new float[FEATURES];

    private final int[] tokens = new int[MOST];
    private final float[][] said = new float[MOST][SOURCES.size()];
    private int size;

    /** The largest chance that lookup said. */
    private float sure;

    private boolean areOthersSilent = true;

    Mixture() {
        for (int i = 0; i < START.length; i++) {
            weights[i] = START[i].clone();
        }
    }

    /** What is said after another node is gathered. */
    void begin() {
        size = 0;
        sure = 0;
        areOthersSilent = true;
    }

    /** What one of the {@link #SOURCES} says. */
    void add(int source, Proposals proposals, Calibration calibration, Constraint constraint) {
        for (int i = 0; i < proposals.size(); i++) {
            if (constraint.accepts(proposals.token(i))) {
                float chance = calibration.of(proposals.probability(i));
                said[place(proposals.token(i))][source] = chance;
                if (source == LOOKUP) {
                    sure = Math.max(sure, chance);
                } else {
                    areOthersSilent = false;
                }
            }
        }
    }

    private int state() {
        if (sure == 0 || areOthersSilent) {
            return sure == 0 ? 0 : 1;
        }
        int state = 2;
        while (state - 2 < SURE.length && sure >= SURE[state - 2]) {
            state++;
        }
        return state;
    }

    private int place(int token) {
        for (int i = 0; i < size; i++) {
            if (tokens[i] == token) {
                return i;
            }
        }
        tokens[size] = token;
        Arrays.fill(said[size], 0);
        return size++;
    }

    int size() {
        return size;
    }

    int token(int index) {
        return tokens[index];
    }

    /** @param occurrences of the conversation */
    float chance(int index, Occurrences occurrences) {
        int at = 0;
        features[at++] = 1;
        for (float chance : said[index]) {
            features[at++] = logOdds(chance);
            features[at++] = chance > 0 ? 1 : 0;
        }
        features[at] = occurrences.logOf(tokens[index]);
        float[] by = weights[state()];
        float sum = 0;
        for (int i = 0; i < FEATURES; i++) {
            sum += by[i] * features[i];
        }
        return (float) (1 / (1 + Math.exp(-sum)));
    }

    /** {@code token} was drawn after the node. */
    void drawn(int token, Occurrences occurrences) {
        float[] by = weights[state()];
        for (int at = 0; at < size; at++) {
            float chance = chance(at, occurrences);
            float step = RATE * ((tokens[at] == token ? 1 : 0) - chance);
            for (int i = 0; i < FEATURES; i++) {
                by[i] += step * features[i];
            }
        }
    }

    private static float logOdds(float chance) {
        if (chance == 0) {
            return 0;
        }
        float p = Math.clamp(chance, LEAST, 1 - LEAST);
        return (float) Math.log(p / (1 - p));
    }
}
