package uzu;

import java.nio.file.Path;

/** What happens in an engine, whoever caused it. */
public sealed interface EngineEvent {
    /** The model's identifier. */
    String model();

    /** A download began, moved on, stopped or failed, or the model was deleted. */
    record Download(String model, DownloadState state) implements EngineEvent {}

    /**
     * The model's weights came into memory.
     *
     * @param path the file or folder they were read from
     */
    record ModelLoaded(String model, Path path, long weightBytes) implements EngineEvent {}

    /** The model's weights left memory: nothing uses them any more, or the engine was closed. */
    record ModelUnloaded(String model) implements EngineEvent {}
}
