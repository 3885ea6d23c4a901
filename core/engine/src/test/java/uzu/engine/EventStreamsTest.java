package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.DownloadPhase;
import uzu.DownloadState;
import uzu.EngineEvent;
import uzu.EngineEvents;
import uzu.UzuException;

@Timeout(60)
class EventStreamsTest {
    private final EventStreams streams = new EventStreams();

    @Test
    void eachReaderGetsWhatHappensAfterItCame() {
        EngineEvents first = streams.open();
        publish(new EngineEvent.ModelUnloaded("a"));
        EngineEvents second = streams.open();
        publish(new EngineEvent.ModelUnloaded("b"));
        assertEquals(new EngineEvent.ModelUnloaded("a"), first.next());
        assertEquals(new EngineEvent.ModelUnloaded("b"), first.next());
        assertEquals(new EngineEvent.ModelUnloaded("b"), second.next());
        assertNull(second.next(Duration.ZERO));
        assertFalse(second.isFinished());
    }

    @Test
    void aSlowReaderGetsTheLastStepOfADownload() {
        EngineEvents events = streams.open();
        publish(download("a", 1, new DownloadPhase.Downloading()));
        publish(download("b", 1, new DownloadPhase.Downloading()));
        publish(download("a", 2, new DownloadPhase.Downloading()));
        publish(download("a", 2, new DownloadPhase.Paused()));
        streams.close();
        List<EngineEvent> read = new ArrayList<>();
        events.forEach(read::add);
        assertEquals(
                List.of(
                        download("b", 1, new DownloadPhase.Downloading()),
                        download("a", 2, new DownloadPhase.Downloading()),
                        download("a", 2, new DownloadPhase.Paused())),
                read);
    }

    @Test
    void theListenerIsCalledOnceWhenThereIsSomething() {
        EngineEvents events = streams.open();
        List<String> called = new ArrayList<>();
        events.onReady(() -> called.add("event"));
        assertEquals(List.of(), called);
        publish(new EngineEvent.ModelUnloaded("a"));
        publish(new EngineEvent.ModelUnloaded("b"));
        assertEquals(List.of("event"), called);
        events.onReady(() -> called.add("at once"));
        assertEquals(List.of("event", "at once"), called);
    }

    @Test
    void closingEndsThoseWhoWait() throws InterruptedException {
        EngineEvents events = streams.open();
        List<String> called = new ArrayList<>();
        events.onReady(() -> called.add("end"));
        Thread reader = Thread.ofVirtual().start(() -> assertNull(events.next()));
        events.close();
        reader.join();
        assertEquals(List.of("end"), called);
        assertTrue(events.isFinished());
        streams.close();
        assertThrows(UzuException.Closed.class, streams::open);
    }

    private void publish(EngineEvent event) {
        streams.publish(() -> event);
    }

    private static EngineEvent download(String model, long bytes, DownloadPhase phase) {
        return new EngineEvent.Download(model, new DownloadState(10, bytes, phase));
    }
}
