package uzu.grammar;

/** Counts of tokens: sums and products that end at {@link #NEVER}. */
final class Cost {
    /** No text of any length will do. */
    static final int NEVER = 1 << 28;

    private Cost() {}

    static int sum(int cost, int other) {
        return Math.min(NEVER, cost + other);
    }

    static int times(int cost, int count) {
        return (int) Math.min(NEVER, (long) cost * count);
    }
}
