package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.ChatReplyFinishReason;

@Timeout(60)
class OutputTest {
    private final Output output = new Output(System.nanoTime(), 1, new Thread(() -> {}));

    @Test
    void theReaderIsWokenOnceForAllTokensOfAPass() {
        AtomicInteger calls = new AtomicInteger();
        output.onReady(calls::incrementAndGet);
        output.token("a", null);
        output.token("b", null);
        output.token("c", null);
        assertEquals(0, calls.get());
        output.show();
        assertEquals(1, calls.get());
        assertEquals("abc", text(Duration.ZERO));
    }

    @Test
    void tokensWithoutTextWakeNobody() {
        AtomicInteger calls = new AtomicInteger();
        output.onReady(calls::incrementAndGet);
        output.token("", null);
        output.show();
        assertEquals(0, calls.get());
        output.finish("", ChatReplyFinishReason.STOP, 0);
        assertEquals(1, calls.get());
    }

    @Test
    void whoGathersIsCalledAtTheEndAndNotForText() {
        AtomicInteger calls = new AtomicInteger();
        output.onGathered(() -> false, calls::incrementAndGet);
        output.token("a", null);
        output.show();
        assertEquals(0, calls.get());
        output.finish("b", ChatReplyFinishReason.STOP, 0);
        assertEquals(1, calls.get());
        assertEquals("ab", text(Duration.ZERO));
        output.onGathered(() -> false, calls::incrementAndGet);
        assertEquals(2, calls.get());
    }

    @Test
    void whoGathersIsCalledForTextOnceItIsEnough() {
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger calls = new AtomicInteger();
        output.onGathered(enough::get, calls::incrementAndGet);
        output.token("a", null);
        output.show();
        enough.set(true);
        output.token("", null);
        assertEquals(0, calls.get());
        output.show();
        assertEquals(1, calls.get());
        output.onGathered(enough::get, calls::incrementAndGet);
        assertEquals(2, calls.get());
    }

    @Test
    void aListenerTakesThePlaceOfTheOneBefore() {
        AtomicInteger calls = new AtomicInteger();
        output.onGathered(() -> false, () -> calls.addAndGet(100));
        output.onReady(calls::incrementAndGet);
        output.token("a", null);
        output.show();
        assertEquals(1, calls.get());
        output.finish("", ChatReplyFinishReason.STOP, 0);
        assertEquals(1, calls.get());
    }

    @Test
    void whatIsThereIsReadWithoutWaiting() {
        output.token("a", null);
        assertEquals("a", text(Duration.ofSeconds(30)));
    }

    private String text(Duration timeout) {
        Output.Piece piece = output.next(timeout);
        assertNotNull(piece);
        return piece.text();
    }
}
