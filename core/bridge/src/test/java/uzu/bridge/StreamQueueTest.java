package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time stands still, but where a test lets it pass. */
@Timeout(60)
class StreamQueueTest {
    private final AtomicLong now = new AtomicLong();
    private final StreamQueue queue = new StreamQueue();
    private final GrowingText text = new GrowingText();

    @Test
    void theFirstChunksGoOutAtOnce() {
        add(7, text);
        text.grow("a");
        assertEquals("[{\"stream\":7,\"chunk\":\"a\"}]", next());
        text.grow("b");
        assertEquals("[{\"stream\":7,\"chunk\":\"b\"}]", next());
    }

    @Test
    void textThatComesFastWakesNobodyAndIsHandedOverTogether() {
        readTwice(7, text);
        assertTrue(text.gathers());
        text.grow("c");
        text.grow("d");
        assertTrue(text.gathers());
        passInterval();
        passInterval();
        assertEquals("[{\"stream\":7,\"chunk\":\"cd\"}]", next());
    }

    @Test
    void theFirstTextAfterAnIntervalWakesTheReader() {
        readTwice(7, text);
        text.grow("c");
        passInterval();
        assertTrue(text.isAwaited());
        text.grow("d");
        assertFalse(text.isAwaited());
        assertEquals("[{\"stream\":7,\"chunk\":\"cd\"}]", next());
    }

    @Test
    void theEndGoesOutAtOnceWithWhatHasGathered() {
        readTwice(7, text);
        text.grow("c");
        text.end("d");
        assertEquals("[{\"stream\":7,\"chunk\":\"cd\"}]", next());
        assertEquals("[{\"stream\":7,\"end\":true}]", next());
    }

    @Test
    void textThatCameWhileNothingHadGatheredGoesOutAtOnce() {
        readTwice(7, text);
        passInterval();
        assertEquals(new Poll.Timeout(), queue.next(0));
        assertFalse(text.gathers());
        text.grow("c");
        assertEquals("[{\"stream\":7,\"chunk\":\"c\"}]", next());
    }

    @Test
    void whoeverWakesTheReaderItTakesAlongWhatTheOthersHave() {
        readTwice(7, text);
        text.grow("c");
        GrowingText other = new GrowingText();
        add(8, other);
        other.grow("x");
        assertEquals("[{\"stream\":8,\"chunk\":\"x\"},{\"stream\":7,\"chunk\":\"c\"}]", next());
    }

    @Test
    void streamsThatGatherAtTheSameTimeAreHandedOverTogether() {
        GrowingText other = new GrowingText();
        readTwice(7, text);
        readTwice(8, other);
        text.grow("c");
        other.grow("z");
        passInterval();
        passInterval();
        assertEquals("[{\"stream\":8,\"chunk\":\"z\"},{\"stream\":7,\"chunk\":\"c\"}]", next());
    }

    @Test
    void whoOnlyLooksGetsWhatIsThere() {
        readTwice(7, text);
        text.grow("c");
        assertEquals(new Poll.Ready("[{\"stream\":7,\"chunk\":\"c\"}]"), queue.next(0));
        assertEquals(new Poll.Timeout(), queue.next(0));
    }

    @Test
    void closingEndsTheQueueOfStreamsThatRest() {
        readTwice(7, text);
        queue.close();
        text.end("c");
        assertEquals(new Poll.End(), queue.next(-1));
    }

    private void add(long handle, GrowingText stream) {
        queue.add(handle, new JsonStream<>(stream, null, Function.identity(), new Pace(now::get)));
    }

    /** Fast enough that the stream rests afterwards. */
    private void readTwice(long handle, GrowingText stream) {
        add(handle, stream);
        for (String each : new String[] {"a", "b"}) {
            stream.grow(each);
            assertEquals("[{\"stream\":%d,\"chunk\":\"%s\"}]".formatted(handle, each), next());
        }
    }

    private String next() {
        return queue.next(-1) instanceof Poll.Ready ready ? ready.json() : "";
    }

    private void passInterval() {
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(55));
    }
}
