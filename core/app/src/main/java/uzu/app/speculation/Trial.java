package uzu.app.speculation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import uzu.KvCache;
import uzu.SamplingMethod.Stochastic;

/**
 * How one reply of an equality check is made: a value of each column, by its number.
 *
 * @param number of the trial, from 0 on
 */
record Trial(int number, int[] values) {
    private static final List<KvCache> CACHES = List.of(KvCache.F16, KvCache.Q8, KvCache.Q4);

    private enum Column {
        THREADS(2),
        CACHE(CACHES.size()),
        TEMPERATURE(3),
        TOP_K(2),
        TOP_P(2),
        MIN_P(2),
        PENALTY(4),
        CANCELLED(2),
        LOGPROBS(2);

        private final int count;

        Column(int count) {
            this.count = count;
        }
    }

    /** Draws of the same length are tried until one has all pairs. */
    private static final int MOST_SEEDS = 1000;

    /** Trials in which each value occurs about as often as any other of its column. */
    private record Draw(List<Trial> trials, int missing) {}

    /**
     * Trials, those on the same engine together; always the same ones.
     *
     * @param drafters how many drafters and sets of them are tried
     */
    static List<Trial> of(int count, int drafters) {
        Draw best = draw(count, drafters, 0);
        for (int seed = 1; seed < MOST_SEEDS && best.missing > 0; seed++) {
            Draw next = draw(count, drafters, seed);
            best = next.missing < best.missing ? next : best;
        }
        List<Trial> trials = new ArrayList<>(best.trials);
        trials.sort(Comparator.comparing(Trial::engine));
        return trials;
    }

    /** Pairs of values of two columns that occur in none of {@code trials}. */
    static int missingPairs(List<Trial> trials, int drafters) {
        int[] sizes = sizes(drafters);
        int missing = 0;
        for (int a = 0; a < sizes.length; a++) {
            for (int b = a + 1; b < sizes.length; b++) {
                BitSet seen = new BitSet();
                for (Trial trial : trials) {
                    seen.set(trial.values[a] * sizes[b] + trial.values[b]);
                }
                missing += sizes[a] * sizes[b] - seen.cardinality();
            }
        }
        return missing;
    }

    private static Draw draw(int count, int drafters, int seed) {
        Random random = new Random(seed);
        int[] sizes = sizes(drafters);
        int[][] rows = new int[count][sizes.length];
        for (int column = 0; column < sizes.length; column++) {
            for (int i = 0; i < count; i++) {
                int other = random.nextInt(i + 1);
                rows[i][column] = rows[other][column];
                rows[other][column] = i % sizes[column];
            }
        }
        List<Trial> trials = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            trials.add(new Trial(i, rows[i]));
        }
        return new Draw(trials, missingPairs(trials, drafters));
    }

    /** The last column is the drafter. */
    private static int[] sizes(int drafters) {
        Column[] columns = Column.values();
        int[] sizes = new int[columns.length + 1];
        for (Column column : columns) {
            sizes[column.ordinal()] = column.count;
        }
        sizes[columns.length] = drafters;
        return sizes;
    }

    private int value(Column column) {
        return values[column.ordinal()];
    }

    /** Of trials that are alike in it, one engine makes all replies. */
    String engine() {
        return threads() + " threads, cache " + cache();
    }

    int threads() {
        return 1 + value(Column.THREADS);
    }

    KvCache cache() {
        return CACHES.get(value(Column.CACHE));
    }

    boolean isCancelled() {
        return value(Column.CANCELLED) == 1;
    }

    /** Whether the replies tell their tokens, for which passes read all logits. */
    boolean hasLogprobs() {
        return value(Column.LOGPROBS) == 0;
    }

    /** Whether passes are asked for the likeliest token only, as in most greedy replies that people make. */
    boolean wantsLikeliestOnly() {
        return !hasLogprobs() && value(Column.TEMPERATURE) == 0 && value(Column.PENALTY) == 0;
    }

    int drafter() {
        return values[values.length - 1];
    }

    Stochastic method() {
        int penalty = value(Column.PENALTY);
        return new Stochastic(
                new double[] {0, 0.7, 1.2}[value(Column.TEMPERATURE)],
                new @Nullable Integer[] {null, 40}[value(Column.TOP_K)],
                new @Nullable Double[] {null, 0.9}[value(Column.TOP_P)],
                new @Nullable Double[] {null, 0.05}[value(Column.MIN_P)],
                new @Nullable Double[] {null, 1.3, 1.1, null}[penalty],
                new @Nullable Integer[] {null, null, 24, null}[penalty],
                new @Nullable Double[] {null, null, null, 0.7}[penalty],
                new @Nullable Double[] {null, null, null, 0.3}[penalty],
                Map.of());
    }

    /** For an error: what it was. */
    String title() {
        return "trial %d, %s, %s%s%s"
                .formatted(
                        number,
                        engine(),
                        method(),
                        isCancelled() ? ", cancelled" : "",
                        hasLogprobs() ? "" : ", without log probabilities");
    }
}
