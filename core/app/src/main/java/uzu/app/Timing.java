package uzu.app;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What a measure took on some threads.
 *
 * @param ours seconds of a run, by round
 * @param theirs a peer's in the same rounds; empty without one
 */
record Timing(Measure measure, int threads, double[] ours, double[] theirs) {
    boolean hasPeer() {
        return theirs.length > 0;
    }

    /** How many times as fast as the peer, round by round. */
    Spread ratio() {
        return Spread.of(IntStream.range(0, ours.length)
                .mapToDouble(round -> theirs[round] / ours[round])
                .toArray());
    }

    /** Tokens a second. */
    static Spread rate(Measure measure, double[] seconds) {
        return Spread.of(Arrays.stream(seconds).map(s -> measure.tokens() / s).toArray());
    }
}
