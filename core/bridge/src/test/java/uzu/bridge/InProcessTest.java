package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import uzu.UzuException;

class InProcessTest {
    private final InProcess uzu = new InProcess();

    @Test
    void functionsAreCalledByTheirNameInTheHeader() {
        long engine = uzu.number("engine_create", 0, "{\"offline\": true}");
        assertTrue(uzu.text("engine_models", engine, (String) null).startsWith("["));
        assertEquals("null", uzu.text("engine_model", engine, "no-such-model"));
        uzu.run("handle_close", engine);
        assertThrows(UzuException.Closed.class, () -> uzu.text("engine_vendors", engine));
    }

    @Test
    void aQueueIsWaitedForAndEndsWhenItIsClosed() {
        long queue = uzu.number("queue_create", 0);
        assertEquals("", uzu.next("queue_next", queue, 0));
        Thread.ofVirtual().start(() -> {
            // Closed before anybody waits, a queue is a closed handle and no end.
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            uzu.run("handle_close", queue);
        });
        assertEquals(null, uzu.next("queue_next", queue, -1));
    }

    @Test
    void anUnknownFunctionIsRefusedWithThoseThereAre() {
        String message = assertThrows(UzuException.InvalidArgument.class, () -> uzu.run("engine_crate", 0))
                .getMessage();
        assertTrue(message.startsWith("There is no function engine_crate, but handle_close, engine_create, "), message);
    }

    @Test
    void errorsHaveTheShapeOfTheHeader() {
        assertEquals(
                "{\"code\":\"model_not_found\",\"message\":\"none\",\"details\":{}}",
                InProcess.errorJson(new UzuException.ModelNotFound("none")));
    }

    @Test
    void aMissingTextIsNamed() {
        long engine = uzu.number("engine_create", 0, (String) null);
        UzuException.InvalidArgument failure =
                assertThrows(UzuException.InvalidArgument.class, () -> uzu.text("engine_model", engine));
        assertEquals("identifier is NULL", failure.getMessage());
        uzu.run("handle_close", engine);
    }
}
