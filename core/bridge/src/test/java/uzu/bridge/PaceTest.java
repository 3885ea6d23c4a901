package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final AtomicLong now = new AtomicLong(-5);
    private final Pace pace = new Pace(now::get);

    @Test
    void theFirstChunkGoesOutAtOnce() {
        assertTrue(pace.isDue());
    }

    @Test
    void whatComesFastGathersForAnInterval() {
        pace.handedOver();
        after(3);
        pace.handedOver();
        after(49);
        assertFalse(pace.isDue());
        after(1);
        assertTrue(pace.isDue());
        // A chunk that is a little later than the interval is fast still.
        after(2);
        pace.handedOver();
        assertFalse(pace.isDue());
    }

    @Test
    void whatHasGatheredWaitsForTheNextTokenButAnotherInterval() {
        pace.handedOver();
        pace.handedOver();
        assertEquals(TimeUnit.MILLISECONDS.toNanos(100), pace.longestRest());
        after(100);
        assertEquals(0, pace.longestRest());
    }

    @Test
    void aSlowModelIsNeverHeldUp() {
        for (int i = 0; i < 3; i++) {
            pace.handedOver();
            assertTrue(pace.isDue());
            after(110);
        }
    }

    private void after(long millis) {
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
