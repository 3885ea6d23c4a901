package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final AtomicLong now = new AtomicLong(-5);
    private final Pace pace = new Pace(now::get);

    @Test
    void theFirstChunkGoesOutAtOnce() {
        assertTrue(pace.rest() <= 0);
    }

    @Test
    void whatComesFastGathersForAnInterval() {
        pace.handedOver();
        after(3);
        pace.handedOver();
        assertEquals(TimeUnit.MILLISECONDS.toNanos(30), pace.rest());
        after(29);
        assertTrue(pace.rest() > 0);
        after(1);
        assertTrue(pace.rest() <= 0);
        // A chunk that is a little later than the interval is fast still.
        after(2);
        pace.handedOver();
        assertTrue(pace.rest() > 0);
    }

    @Test
    void aSlowModelIsNeverHeldUp() {
        for (int i = 0; i < 3; i++) {
            pace.handedOver();
            assertTrue(pace.rest() <= 0);
            after(70);
        }
    }

    private void after(long millis) {
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
