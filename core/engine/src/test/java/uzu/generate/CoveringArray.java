package uzu.generate;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/** Rows of values such that every pair of values of two columns occurs in one; always the same ones. */
final class CoveringArray {
    private static final int TRIES = 40;

    private final int[] sizes;
    private final Excluded excluded;
    private final BitSet covered = new BitSet();
    private final Random random = new Random(1);

    /** Pairs of values that make no sense together. */
    interface Excluded {
        /** @param column the lesser one of the two */
        boolean test(int column, int value, int other, int otherValue);
    }

    private CoveringArray(Excluded excluded, int... sizes) {
        this.excluded = excluded;
        this.sizes = sizes;
    }

    /**
     * @param rows how many: those that cover all pairs, then random ones
     * @param excluded pairs that occur in no row; with those that can't occur because of others
     * @param sizes how many values each column has, from 0 on
     */
    static List<int[]> of(int rows, Excluded excluded, int... sizes) {
        CoveringArray array = new CoveringArray(excluded, sizes);
        List<int[]> chosen = new ArrayList<>();
        while (array.covered.cardinality() < array.pairs()) {
            chosen.add(array.next());
        }
        if (chosen.size() > rows) {
            throw new IllegalArgumentException(chosen.size() + " rows are needed");
        }
        while (chosen.size() < rows) {
            chosen.add(array.random());
        }
        return chosen;
    }

    /** Of some random rows with an uncovered pair the one that covers most. */
    private int[] next() {
        int[] best = {};
        int most = 0;
        while (most == 0) {
            for (int i = 0; i < TRIES; i++) {
                int[] row = random();
                int fresh = cover(row, false);
                if (fresh > most) {
                    most = fresh;
                    best = row;
                }
            }
        }
        cover(best, true);
        return best;
    }

    private int[] random() {
        int[] row = new int[sizes.length];
        do {
            for (int column = 0; column < row.length; column++) {
                row[column] = random.nextInt(sizes[column]);
            }
        } while (hasExcluded(row));
        return row;
    }

    private boolean hasExcluded(int[] row) {
        for (int a = 0; a < row.length; a++) {
            for (int b = a + 1; b < row.length; b++) {
                if (excluded.test(a, row[a], b, row[b])) {
                    return true;
                }
            }
        }
        return false;
    }

    private int cover(int[] row, boolean keep) {
        int fresh = 0;
        int base = 0;
        for (int a = 0; a < sizes.length; a++) {
            for (int b = a + 1; b < sizes.length; b++) {
                int pair = base + row[a] * sizes[b] + row[b];
                fresh += covered.get(pair) ? 0 : 1;
                if (keep) {
                    covered.set(pair);
                }
                base += sizes[a] * sizes[b];
            }
        }
        return fresh;
    }

    private int pairs() {
        int pairs = 0;
        for (int a = 0; a < sizes.length; a++) {
            for (int b = a + 1; b < sizes.length; b++) {
                for (int pair = 0; pair < sizes[a] * sizes[b]; pair++) {
                    pairs += excluded.test(a, pair / sizes[b], b, pair % sizes[b]) ? 0 : 1;
                }
            }
        }
        return pairs;
    }
}
