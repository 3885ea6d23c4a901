package uzu;

/**
 * Events of an engine from the moment that this was made, until the engine is closed. Nothing is lost to a slow reader
 * but the steps of a download, of which it gets the last.
 */
public interface EngineEvents extends ResultStream<EngineEvent> {
    /** Ends it: who reads it gets null. */
    @Override
    void close();
}
