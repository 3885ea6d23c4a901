package uzu.speculate;

import java.util.Arrays;

/**
 * Whether asking a drafter that takes time pays in a pass: what trees with its proposals are worth more than those
 * without, against the time it takes. Both are measured, the gain apart for passes in which the others know much or
 * little. When it doesn't pay it is tried again now and then, as the text may have changed.
 */
final class Worth {
    private static final double SHARE = 0.08;
    private static final double TIME_SHARE = 0.2;

    /** Gains are believed to be so large, in tokens, before the first ones were seen. */
    private static final double FIRST = 1;

    /** The others' gain, in tokens, from which on it is another case. */
    private static final double[] CASES = {0.25, 0.7, 1.5};

    private static final int FIRST_PATIENCE = 16;
    private static final int MOST_PATIENCE = 256;

    /** Of the time in which it isn't asked, what asking it again may take. */
    private static final double TRIAL_SHARE = 0.01;

    private static final double EARNED_SHARE = 1 / 64.0;

    /** Tokens a pass: a draft model reads a prompt in the time of some ten plain tokens, for a reply of a hundred. */
    private static final double PREPARATION = 0.08;

    private final double[] gains = new double[CASES.length + 1];
    private final int[] seen = new int[CASES.length + 1];
    private double seconds;
    private double deeperSeconds;
    private int deeperSeen;
    private double chance = 0.5;
    private boolean pays = true;

    /** Tokens a pass, lately. */
    private double earned = 2 * PREPARATION;

    private int patience = FIRST_PATIENCE;
    /** Passes in which it wasn't asked since it was asked last. */
    private int refused;

    /** @param claimed seconds that asking takes, while nothing was measured */
    Worth(double claimed) {
        Arrays.fill(gains, FIRST);
        seconds = claimed;
    }

    /**
     * @param others net tokens that the tree without it is worth
     * @param pace what the time of a plain token yields
     */
    boolean isWorth(double others, double pace, PassPrices prices) {
        double price = prices.ofSeconds(seconds);
        double profit = gains[of(others)] - pace * price;
        pays = profit > 0;
        earned += EARNED_SHARE * (Math.max(0, profit) - earned);
        return pays || ++refused >= patience && refused * TRIAL_SHARE >= price;
    }

    /** Whether what it earns lately, on all passes, is more than what preparing for being asked costs. */
    boolean earnsPreparation() {
        return earned > PREPARATION;
    }

    /**
     * It was asked, and said something.
     *
     * @param others as {@link #isWorth} had it
     * @param gain net tokens that the tree with it is worth more
     * @param took seconds that asking took
     */
    void asked(double others, double gain, double pace, double took, PassPrices prices) {
        int at = of(others);
        gains[at] += Math.max(SHARE, 1.0 / (++seen[at] + 1)) * (gain - gains[at]);
        // What other programs add isn't the drafter's, nor what the JVM compiles at first.
        seconds += TIME_SHARE * (Math.min(took, 2 * seconds) - seconds);
        patience = pays ? patience : Math.min(2 * patience, MOST_PATIENCE);
        refused = 0;
        if (gains[at] > pace * prices.ofSeconds(seconds)) {
            patience = FIRST_PATIENCE;
        }
    }

    /**
     * It was asked, and said nothing. That it didn't know the conversation yet says little of what it is worth, in as
     * little time.
     *
     * @param others as {@link #isWorth} had it
     * @param took seconds that asking took
     */
    void askedInVain(double others, double took) {
        double part = seconds > 0 ? Math.min(1, took / seconds) : 1;
        gains[of(others)] *= 1 - SHARE * part;
        refused -= (int) Math.ceil(refused * part);
    }

    /**
     * Whether to ask also about a node below the root.
     *
     * @param reached the estimated chance that the walk gets there
     * @param row what its likeliest proposal will cost as a row
     */
    boolean isWorthDeeper(double reached, double row, double pace, PassPrices prices) {
        return reached * chance > pace * (row + prices.ofSeconds(deeperSeconds));
    }

    /**
     * @param best what it said of its likeliest proposal, calibrated
     * @param took seconds
     */
    void askedDeeper(double best, double took) {
        chance += SHARE * (best - chance);
        double usual = Math.min(took, Math.max(2 * deeperSeconds, seconds));
        deeperSeconds += Math.max(TIME_SHARE, 1.0 / ++deeperSeen) * (usual - deeperSeconds);
    }

    private static int of(double others) {
        int at = 0;
        while (at < CASES.length && others >= CASES[at]) {
            at++;
        }
        return at;
    }
}
