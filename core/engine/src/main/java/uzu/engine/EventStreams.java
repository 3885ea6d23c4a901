package uzu.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import uzu.EngineEvent;
import uzu.EngineEvents;
import uzu.UzuException;

/** Who reads an engine's events. */
final class EventStreams implements AutoCloseable {
    private final List<EventStream> streams = new CopyOnWriteArrayList<>();
    private boolean closed;

    synchronized EngineEvents open() {
        if (closed) {
            throw new UzuException.Closed("the engine is closed");
        }
        EventStream stream = new EventStream(streams::remove);
        streams.add(stream);
        return stream;
    }

    /** @param event made only where somebody reads it */
    void publish(Supplier<EngineEvent> event) {
        if (!streams.isEmpty()) {
            EngineEvent made = event.get();
            streams.forEach(stream -> stream.add(made));
        }
    }

    /** The streams end after what was published. */
    @Override
    public void close() {
        List<EventStream> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(streams);
            streams.clear();
        }
        open.forEach(EventStream::end);
    }
}
