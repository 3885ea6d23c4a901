package uzu.polyglot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class EventLoopTest {
    private final EventLoop loop = new EventLoop();
    private final List<String> seen = new ArrayList<>();

    @Test
    void timersRunInTheOrderOfTheirTimes() {
        loop.setTimer(() -> seen.add("late"), 30, false);
        loop.setTimer(() -> seen.add("soon"), 1, false);
        loop.post(() -> seen.add("at once"));
        loop.run();
        assertEquals(List.of("at once", "soon", "late"), seen);
    }

    @Test
    void aTimerThatRepeatsRunsUntilItIsCleared() {
        long[] id = new long[1];
        id[0] = loop.setTimer(
                () -> {
                    seen.add("tick");
                    if (seen.size() == 3) {
                        loop.clearTimer(id[0]);
                    }
                },
                1,
                true);
        loop.run();
        assertEquals(List.of("tick", "tick", "tick"), seen);
    }

    @Test
    void aTimerThatDoesNotHoldTheLoopDoesNotRunAfterItsEnd() {
        loop.holdTimer(loop.setTimer(() -> seen.add("never"), 10_000, false), false);
        assertFalse(loop.step());
    }

    @Test
    void theLoopWaitsForAnotherThreadWhileItIsHeld() {
        loop.hold(true);
        Thread.ofVirtual()
                .start(() -> loop.post(() -> {
                    seen.add("posted");
                    loop.hold(false);
                }));
        loop.run();
        assertEquals(List.of("posted"), seen);
    }

    @Test
    void aTimerClearedWhileItWaitsBehindOthersDoesNotRun() {
        long second = loop.setTimer(() -> seen.add("second"), 1, false);
        loop.setTimer(() -> seen.add("third"), 1, false);
        loop.post(() -> {
            long end = System.nanoTime() + 5_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            loop.clearTimer(second);
        });
        loop.run();
        assertEquals(List.of("third"), seen);
    }
}
