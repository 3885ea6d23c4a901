package uzu.app;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * Times measures in rounds. In each round every measure is run on every number of threads, by us and by the peer one
 * right after the other, now one first, now the other; so what else the machine does meets both. A round's time of a
 * measure is the median of the runs that fit into a fifth of a second: the fastest would favour whose runs are short, as
 * they find quiet moments more often.
 *
 * @param peer null: nobody
 */
record Rounds(Contender ours, @Nullable Contender peer, int[] threads, int count) {
    private static final double SECONDS = 0.2;
    private static final int MOST_RUNS = 25;
    /** Threads of an OpenMP runtime still spin for some milliseconds after their work. */
    private static final int MILLISECONDS_TO_CALM = 10;

    /** From this on a context is kept from round to round, as it takes long to compute. */
    static final int LONG_CONTEXT = 1024;

    List<Timing> run(List<Measure> measures) {
        List<Timing> timings = new ArrayList<>();
        for (boolean longContext : new boolean[] {false, true}) {
            List<Timing> group = new ArrayList<>();
            for (int threads : threads) {
                measures.stream()
                        .filter(measure -> measure.context() >= LONG_CONTEXT == longContext)
                        .forEach(measure -> group.add(
                                new Timing(measure, threads, new double[count], new double[peer == null ? 0 : count])));
            }
            group.stream()
                    .filter(timing -> timing.threads() == threads[threads.length - 1])
                    .forEach(this::warm);
            for (int round = 0; round < count; round++) {
                for (Timing timing : group) {
                    take(timing, round);
                }
            }
            timings.addAll(group);
        }
        return timings;
    }

    /** Compilers and page tables have seen the code and the memory then. */
    private void warm(Timing timing) {
        seconds(ours, timing);
        if (peer != null) {
            peer.useThreads(timing.threads());
            peer.nanoseconds(timing.measure());
        }
    }

    private void take(Timing timing, int round) {
        boolean oursFirst = round % 2 == 0;
        if (oursFirst) {
            timing.ours()[round] = seconds(ours, timing);
        }
        if (peer != null) {
            timing.theirs()[round] = seconds(peer, timing);
        }
        if (!oursFirst) {
            timing.ours()[round] = seconds(ours, timing);
        }
    }

    private static double seconds(Contender contender, Timing timing) {
        calm();
        contender.useThreads(timing.threads());
        double[] seconds = new double[MOST_RUNS];
        int runs = 0;
        for (double sum = 0; runs < MOST_RUNS && sum < SECONDS; runs++) {
            seconds[runs] = contender.nanoseconds(timing.measure()) / 1e9;
            sum += seconds[runs];
        }
        return Spread.of(Arrays.copyOf(seconds, runs)).median();
    }

    private static void calm() {
        try {
            Thread.sleep(MILLISECONDS_TO_CALM);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("interrupted");
        }
    }
}
