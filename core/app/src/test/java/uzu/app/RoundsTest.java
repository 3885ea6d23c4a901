package uzu.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private final List<String> turns = new ArrayList<>();

    /** Takes as many seconds as it has been told to, one after the other, and notes its turns. */
    private final class Scripted implements Contender {
        private final String name;
        private final double[] seconds;
        private int runs;
        private int threads;

        Scripted(String name, double... seconds) {
            this.name = name;
            this.seconds = seconds;
        }

        @Override
        public void useThreads(int count) {
            threads = count;
        }

        @Override
        public long nanoseconds(Measure measure) {
            turns.add(name + " " + threads + " " + measure);
            return (long) (seconds[runs++ % seconds.length] * 1e9);
        }

        @Override
        public void close() {}
    }

    @Test
    void bothTakeTurnsAndWhoIsFirstChanges() {
        Rounds rounds = new Rounds(new Scripted("a", 1), new Scripted("b", 2), new int[] {1}, 2);
        List<Timing> timings = rounds.run(List.of(new Measure.Prefill(8)));
        assertEquals(
                List.of(
                        "a 1 prefill of 8",
                        "b 1 prefill of 8",
                        "a 1 prefill of 8",
                        "b 1 prefill of 8",
                        "b 1 prefill of 8",
                        "a 1 prefill of 8"),
                turns);
        assertArrayEquals(new double[] {1, 1}, timings.getFirst().ours());
        assertArrayEquals(new double[] {2, 2}, timings.getFirst().theirs());
    }

    @Test
    void longContextsComeLastAndTogether() {
        Rounds rounds = new Rounds(new Scripted("a", 1), null, new int[] {1, 2}, 1);
        rounds.run(List.of(new Measure.Decode(4096), new Measure.Prefill(8)));
        assertEquals(
                List.of(
                        "a 2 prefill of 8",
                        "a 1 prefill of 8",
                        "a 2 prefill of 8",
                        "a 2 decode at 4096",
                        "a 1 decode at 4096",
                        "a 2 decode at 4096"),
                turns);
    }

    @Test
    void ofShortRunsTheMedianCounts() {
        Rounds rounds = new Rounds(new Scripted("a", 0.09, 0.05, 0.07), null, new int[] {1}, 1);
        List<Timing> timings = rounds.run(List.of(new Measure.Prefill(8)));
        assertArrayEquals(new double[] {0.07}, timings.getFirst().ours(), 1e-9);
        assertEquals(new double[0].length, timings.getFirst().theirs().length);
    }
}
