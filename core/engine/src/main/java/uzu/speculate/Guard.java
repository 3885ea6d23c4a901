package uzu.speculate;

/**
 * Keeps what speculation loses below a share of the time. Drafts spend from an account, which what they save fills up
 * to a little, and each token adds a share of its own time to; while it is overdrawn, replies are decoded plainly. One
 * account for a model, so that short replies don't each have a right to lose.
 *
 * <p>What drafters take to follow a conversation, such as a draft model's reading of the prompt, is lent: half of what
 * comes in pays it back, and while much is owed they shall not prepare for more.
 */
final class Guard {
    /** Of the time of plain decoding: what may be lost in the long run. */
    private static final double SHARE = 0.02;

    /** Plain tokens. */
    private static final double FIRST = 1;

    /** What saved tokens may pay for later: a stretch of bad luck mustn't end the drafting (2 cost 5 % of speed). */
    private static final double MOST = 32;

    private static final double PAID_BACK = 0.5;

    /** Plain tokens. */
    private static final double MUCH = 64;

    /** Plain tokens; what is owed beyond them would keep the other drafters from drafting for long. */
    private static final double MOST_OWED = 256;

    private double account = FIRST;

    /** Seconds, as what a token takes isn't known before the first passes. */
    private double owed;

    boolean allows() {
        return account > 0;
    }

    /**
     * @param made tokens of a pass
     * @param saved plain tokens that the pass was shorter than decoding them plainly; negative: longer
     */
    void passed(int made, double saved, PassPrices prices) {
        double income = saved + SHARE * made;
        account = Math.min(MOST, account + income - paidBack(income, prices));
    }

    private double paidBack(double income, PassPrices prices) {
        if (owed == 0 || income <= 0) {
            return 0;
        }
        double tokens = prices.ofSeconds(owed);
        double back = Math.min(tokens, PAID_BACK * income);
        owed -= owed * (back / tokens);
        return back;
    }

    /** Whether drafters should leave out what prepares them, until more is paid back. */
    boolean owesMuch(PassPrices prices) {
        return prices.ofSeconds(owed) > MUCH;
    }

    /**
     * Following a conversation took time.
     *
     * @param token seconds that a plain one takes
     */
    void lent(double seconds, double token) {
        owed = Math.min(owed + seconds, MOST_OWED * token);
    }
}
