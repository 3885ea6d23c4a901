package uzu.speculate;

/**
 * What one conversation's drafts may cost: how far their estimates are trusted in its text, how fast its decoding is,
 * and the model's account of what drafts have lost and saved.
 */
final class Budget {
    private static final double SHARE = 0.1;

    /** A draft that takes so many times as long as usual was held up by something else. */
    private static final double OUTLIER = 4;

    private final Trust trust = new Trust();
    private final Pace pace = new Pace();
    private final Guard guard;
    private double draftingSeconds;

    Budget(Guard guard) {
        this.guard = guard;
    }

    /** Whether to draft at all. */
    boolean allows() {
        return guard.allows();
    }

    double trust() {
        return trust.factor();
    }

    double pace() {
        return pace.factor();
    }

    /** A token was drawn after a node whose likeliest candidate had the estimated {@code chance}. */
    void drawn(double chance, boolean hit) {
        trust.observe(chance, hit);
    }

    /**
     * A pass with {@code nodes} nodes was made.
     *
     * @param made tokens, the accepted ones and the bonus
     * @param drafting seconds that making the draft took
     */
    void passed(int nodes, int made, double drafting, PassPrices prices) {
        double counted = draftingSeconds > 0 ? Math.min(drafting, OUTLIER * draftingSeconds) : drafting;
        draftingSeconds += (draftingSeconds > 0 ? SHARE : 1) * (counted - draftingSeconds);
        double took = 1 + prices.ofNodes(nodes) + prices.ofSeconds(counted);
        pace.passed(made, took);
        guard.passed(made, made - took);
    }
}
