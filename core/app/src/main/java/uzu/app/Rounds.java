package uzu.app;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * Times measures in rounds. In each round every measure is run on every number of threads, by us and by the peer one
 * right after the other, now one first, now the other; so what else the machine does meets both. A round's time of a
 * measure is the fastest of the runs that fit into a fifth of a second.
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
            group.forEach(this::warm);
            for (int round = 0; round < count; round++) {
                for (Timing timing : group) {
                    take(timing, round);
                }
            }
            timings.addAll(group);
        }
        return timings;
    }

    private void warm(Timing timing) {
        fastest(ours, timing);
        if (peer != null) {
            peer.useThreads(timing.threads());
            peer.nanoseconds(timing.measure());
        }
    }

    private void take(Timing timing, int round) {
        boolean oursFirst = round % 2 == 0;
        if (oursFirst) {
            timing.ours()[round] = fastest(ours, timing);
        }
        if (peer != null) {
            timing.theirs()[round] = fastest(peer, timing);
        }
        if (!oursFirst) {
            timing.ours()[round] = fastest(ours, timing);
        }
    }

    private static double fastest(Contender contender, Timing timing) {
        calm();
        contender.useThreads(timing.threads());
        double least = Double.MAX_VALUE;
        double sum = 0;
        for (int run = 0; run < MOST_RUNS && sum < SECONDS; run++) {
            double seconds = contender.nanoseconds(timing.measure()) / 1e9;
            sum += seconds;
            least = Math.min(least, seconds);
        }
        return least;
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
