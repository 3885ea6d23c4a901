package uzu.app;

/**
 * How far two engines disagree about which of two tokens is the likelier, over the positions of texts: the difference of
 * their differences of the two logits.
 */
final class Disagreement {
    private int positions;
    private double squares;

    /** {@code [ours(a) − ours(b)] − [theirs(a) − theirs(b)]}. */
    static double about(int a, int b, float[] ours, float[] theirs) {
        return ((double) ours[a] - ours[b]) - ((double) theirs[a] - theirs[b]);
    }

    void add(double disagreement) {
        positions++;
        squares += disagreement * disagreement;
    }

    int positions() {
        return positions;
    }

    /** The root of the mean square; not a number before the first position. */
    double typical() {
        return Math.sqrt(squares / positions);
    }
}
