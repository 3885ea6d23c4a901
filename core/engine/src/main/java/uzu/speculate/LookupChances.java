package uzu.speculate;

/**
 * How often what followed a match follows again, by the match's length, how often it was seen and how often it was
 * followed so. Counted on 900 dialogues that SmolLM2 wrote; calibration follows what happens elsewhere.
 */
final class LookupChances {
    /** The longest matches are told apart by these lengths. */
    private static final int[] LENGTHS = {1, 2, 3, 4, 5, 6, 7, 8, 12, 20, 32};

    // In hundredths; a row is a length. Columns: always the same after 1, 2, 3 to 5, more matches; in at least half of
    // 2, 3 to 5, more; in fewer of 3 to 5, more.
    private static final int[][] LATEST = {
        {23, 41, 60, 79, 13, 24, 45, 9, 10},
        {45, 69, 86, 96, 21, 38, 57, 18, 20},
        {58, 76, 88, 94, 27, 43, 69, 17, 15},
        {67, 83, 93, 98, 32, 58, 74, 21, 26},
        {73, 85, 92, 98, 41, 60, 80, 28, 26},
        {76, 88, 94, 98, 40, 68, 80, 24, 20},
        {79, 89, 96, 98, 41, 69, 80, 26, 25},
        {85, 95, 98, 99, 50, 68, 72, 36, 36},
        {88, 97, 99, 99, 50, 68, 72, 36, 36},
        {92, 98, 99, 99, 50, 68, 72, 36, 36},
        {95, 99, 99, 99, 50, 68, 72, 36, 36},
    };

    /** For the follower before the latest; longer matches are as the last row. */
    private static final int[][] SECOND = {
        {0, 0, 0, 0, 9, 18, 29, 8, 14}, {0, 0, 0, 0, 24, 29, 46, 15, 12}, {0, 0, 0, 0, 20, 30, 40, 14, 11},
    };

    private static final int EARLIER = 7;

    /** The latest follower of matches shorter than the longest one. */
    private static final int[] SHORTER = {5, 10, 15, 17, 20, 22, 22};

    private static final int SHORTER_EARLIER = 4;

    private LookupChances() {}

    /**
     * Of a follower of the longest match.
     *
     * @param length of the match
     * @param rank 0 for the latest follower, 1 for the one before, …
     * @param count of the {@code seen} matches that were followed so
     */
    static float longest(int length, int rank, int count, int seen) {
        if (rank > 1) {
            return EARLIER / 100f;
        }
        int row = LENGTHS.length - 1;
        while (LENGTHS[row] > length) {
            row--;
        }
        int column = column(count, seen);
        return (rank == 0 ? LATEST[row][column] : SECOND[Math.min(row, SECOND.length - 1)][column]) / 100f;
    }

    /** Of a follower of a match for which there is a longer one. */
    static float shorter(int length, int rank) {
        return (rank == 0 ? SHORTER[Math.min(length, SHORTER.length) - 1] : SHORTER_EARLIER) / 100f;
    }

    private static int column(int count, int seen) {
        if (count == seen) {
            return seen == 1 ? 0 : seen == 2 ? 1 : seen <= 5 ? 2 : 3;
        }
        if (2 * count >= seen) {
            return seen == 2 ? 4 : seen <= 5 ? 5 : 6;
        }
        return seen <= 5 ? 7 : 8;
    }
}
