package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of streams that no queue reads. Time stands still. */
@Timeout(60)
class JsonStreamTest {
    private final GrowingText text = new GrowingText();
    private final JsonStream<String> stream = new JsonStream<>(text, null, Function.identity(), new Pace(() -> 0));

    @Test
    void theEndGoesOutAtOnceWithWhatHasGathered() {
        readTwice();
        text.grow("c");
        text.end("d");
        assertEquals(new Poll.Ready("\"cd\""), stream.next(50_000));
        assertEquals(new Poll.End(), stream.next(50_000));
    }

    @Test
    void whoOnlyLooksGetsWhatIsThere() {
        readTwice();
        text.grow("c");
        assertEquals(new Poll.Ready("\"c\""), stream.next(0));
        assertEquals(new Poll.Timeout(), stream.next(0));
    }

    @Test
    void whoseTimeIsOverGetsWhatIsThere() {
        readTwice();
        text.grow("c");
        assertEquals(new Poll.Ready("\"c\""), stream.next(1));
    }

    private void readTwice() {
        for (String each : new String[] {"a", "b"}) {
            text.grow(each);
            assertEquals(new Poll.Ready("\"" + each + "\""), stream.next(50_000));
        }
    }
}
