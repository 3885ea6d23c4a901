package uzu.speculate;

/**
 * How the drafts' estimated chances stand to what is drawn, in the text of one conversation. Calibration learns what a
 * drafter's words are worth on the whole; this follows a text within a few tokens. What counts is each node whose
 * successor was drawn and whose likeliest candidate was known, in the tree or not, so that it neither favours what was
 * chosen nor ends with the drafting.
 */
final class Trust {
    /** Tokens for which the estimates are believed beforehand. */
    private static final double PRIOR = 2;

    private static final double KEPT = 1 - 1 / 48.0;

    /** Estimates too low let a draft grow less than it might; they are not worth believing much more. */
    private static final double MOST = 1.2;

    private double expected;
    private double hit;

    /** What to multiply estimated tokens with. */
    double factor() {
        return Math.min(MOST, (hit + PRIOR) / (expected + PRIOR));
    }

    /** @param chance estimated for the likeliest candidate */
    void observe(double chance, boolean drawn) {
        expected = expected * KEPT + chance;
        hit = hit * KEPT + (drawn ? 1 : 0);
    }
}
