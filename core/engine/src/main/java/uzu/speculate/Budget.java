package uzu.speculate;

/**
 * What one conversation's drafts may cost: how far their estimates are trusted in its text, how fast its decoding is,
 * and the model's account of what drafts have lost and saved.
 */
final class Budget {
    private static final double SHARE = 0.1;

    /**
     * A draft that takes so many times as long as usual was held up by something else, and the first ones by what the
     * JVM hasn't compiled yet, which must not silence drafters that will be fast.
     */
    private static final double OUTLIER = 4;

    private static final double FIRST_SECONDS = 20e-6;

    private static final double NET_SHARE = 0.15;

    /** Of the time, what is spent on drafts while they come to nothing. */
    private static final double IDLE_SHARE = 0.003;

    private final Trust trust = new Trust();
    private final Pace pace = new Pace();
    private final Guard guard;
    private double draftingSeconds;
    private double cheapSeconds;

    /** What drafts have been worth lately. */
    private double net = 1;

    private int slept;

    Budget(Guard guard) {
        this.guard = guard;
    }

    /** Whether to draft at all: drafters that take no time to speak of take some, which adds up where they bring nothing. */
    boolean allows(PassPrices prices) {
        if (!guard.allows()) {
            return false;
        }
        double price = prices.ofSeconds(cheapSeconds);
        if (net > pace.factor() * price || ++slept * IDLE_SHARE >= price) {
            slept = 0;
            return true;
        }
        return false;
    }

    /**
     * A draft was made.
     *
     * @param worth net tokens
     * @param cheap seconds that drafters took which take none to speak of
     */
    void drafted(double worth, double cheap) {
        net += NET_SHARE * (worth - net);
        cheapSeconds += SHARE * (Math.min(cheap, OUTLIER * cheapSeconds + FIRST_SECONDS) - cheapSeconds);
    }

    /** Net tokens that drafts have been worth lately. */
    double net() {
        return net;
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
     * @param drafting seconds that making the draft took; 0 when none was made
     */
    void passed(int nodes, int made, double drafting, PassPrices prices) {
        double took = 1 + prices.ofNodes(nodes) + prices.ofSeconds(usual(drafting));
        pace.passed(made, took);
        guard.passed(made, made - took, prices);
    }

    private double usual(double drafting) {
        if (drafting == 0) {
            return 0;
        }
        double usual = Math.min(drafting, OUTLIER * draftingSeconds + FIRST_SECONDS);
        draftingSeconds += SHARE * (usual - draftingSeconds);
        return usual;
    }
}
