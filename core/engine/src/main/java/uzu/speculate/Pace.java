package uzu.speculate;

/**
 * How many times as fast as plain decoding a reply has been lately. A row is worth its place in a pass when its chance
 * is larger than what the same time yields on the whole: maximising tokens less pace × cost of each pass maximises
 * tokens a second in the long run, where the best quotient of a single pass doesn't (a renewal's reward).
 */
final class Pace {
    private static final double KEPT = 1 - 1 / 96.0;
    private static final double PRIOR = 8;

    private double tokens = PRIOR;
    private double cost = PRIOR;

    /** At least 1, for that is what decoding without drafts yields. */
    double factor() {
        return Math.max(1, tokens / cost);
    }

    /** @param took in plain tokens, as {@link PassPrices} has them */
    void passed(int made, double took) {
        tokens = tokens * KEPT + made;
        cost = cost * KEPT + took;
    }
}
