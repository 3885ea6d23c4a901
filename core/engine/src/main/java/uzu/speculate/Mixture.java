package uzu.speculate;

/**
 * One chance of what lookup and tables say of a token: a logistic mixture of their log odds, with how often the token
 * occurred in the conversation. Two who agree make it likelier than either says, and one contradicted less likely. The
 * weights depend on how sure lookup is, begin with what 146 replies of SmolLM2 taught, and go on learning from each
 * token drawn.
 */
final class Mixture {
    private static final int MOST = 2 * Proposals.MOST;
    private static final float RATE = 0.02f;

    /** Chances count as no less than this and no more than its complement. */
    private static final float LEAST = 0.002f;

    /** How sure lookup is of its likeliest token; below the first it is another case than saying nothing. */
    private static final float[] SURE = {0.25f, 0.5f, 0.8f};

    private static final int FEATURES = 6;

    /**
     * Weights of 1, lookup's log odds, having been proposed by lookup, the tables' log odds, having been proposed by
     * them, ln(1 + occurrences); where lookup has nothing, where the tables have, by how sure lookup is.
     */
    private static final float[][] START = {
        {-2.16f, 0.80f, 2.00f, 1.00f, 1.94f, 0.15f},
        {-2.37f, 0.92f, 2.13f, 0.60f, 1.60f, 0.21f},
        {-5.20f, 0.26f, 0.96f, 0.83f, 4.67f, 0.31f},
        {-4.15f, 0.40f, 1.39f, 1.06f, 3.71f, 0.22f},
        {-3.92f, 0.60f, 1.75f, 0.81f, 2.70f, -0.03f},
        {-4.47f, 1.08f, 2.50f, 0.79f, 2.29f, 0.06f},
    };

    private final float[][] weights = new float[START.length][];
    private final float[] features = new float[FEATURES];

    private final int[] tokens = new int[MOST];
    private final float[] looked = new float[MOST];
    private final float[] tabled = new float[MOST];
    private int size;
    private int state;

    Mixture() {
        for (int i = 0; i < START.length; i++) {
            weights[i] = START[i].clone();
        }
    }

    /** What was said after a node; the mixture is of that until the next call. */
    void gather(Proposals lookup, Calibration ofLookup, Proposals tables, Calibration ofTables, Constraint constraint) {
        size = 0;
        float sure = gather(lookup, ofLookup, constraint, looked);
        float told = gather(tables, ofTables, constraint, tabled);
        state = sure == 0 ? 0 : told == 0 ? 1 : 2;
        for (int i = 0; state >= 2 && i < SURE.length; i++) {
            state += sure >= SURE[i] ? 1 : 0;
        }
    }

    /** The largest chance said. */
    private float gather(Proposals proposals, Calibration calibration, Constraint constraint, float[] said) {
        float most = 0;
        for (int i = 0; i < proposals.size(); i++) {
            if (constraint.accepts(proposals.token(i))) {
                float chance = calibration.of(proposals.probability(i));
                said[place(proposals.token(i))] = chance;
                most = Math.max(most, chance);
            }
        }
        return most;
    }

    private int place(int token) {
        for (int i = 0; i < size; i++) {
            if (tokens[i] == token) {
                return i;
            }
        }
        tokens[size] = token;
        looked[size] = 0;
        tabled[size] = 0;
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
        features[0] = 1;
        features[1] = logOdds(looked[index]);
        features[2] = looked[index] > 0 ? 1 : 0;
        features[3] = logOdds(tabled[index]);
        features[4] = tabled[index] > 0 ? 1 : 0;
        features[5] = occurrences.logOf(tokens[index]);
        float sum = 0;
        for (int i = 0; i < FEATURES; i++) {
            sum += weights[state][i] * features[i];
        }
        return (float) (1 / (1 + Math.exp(-sum)));
    }

    /** {@code token} was drawn after the node. */
    void drawn(int token, Occurrences occurrences) {
        for (int at = 0; at < size; at++) {
            float chance = chance(at, occurrences);
            float step = RATE * ((tokens[at] == token ? 1 : 0) - chance);
            for (int i = 0; i < FEATURES; i++) {
                weights[state][i] += step * features[i];
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
