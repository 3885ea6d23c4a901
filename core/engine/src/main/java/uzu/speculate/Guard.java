package uzu.speculate;

/**
 * Keeps what speculation loses below a share of the time. Drafts spend from an account, which what they save fills up
 * to a little, and each token adds a share of its own time to; while it is overdrawn, replies are decoded plainly. One
 * account for a model, so that short replies don't each have a right to lose.
 */
final class Guard {
    /** Of the time of plain decoding: what may be lost in the long run. */
    private static final double SHARE = 0.02;

    /** Plain tokens. */
    private static final double FIRST = 1;

    /** What saved tokens may pay for later: a stretch of bad luck mustn't end the drafting (2 cost 5 % of speed). */
    private static final double MOST = 32;

    private double account = FIRST;

    boolean allows() {
        return account > 0;
    }

    /**
     * @param made tokens of a pass
     * @param saved plain tokens that the pass was shorter than decoding them plainly; negative: longer
     */
    void passed(int made, double saved) {
        account = Math.min(MOST, account + saved + SHARE * made);
    }
}
