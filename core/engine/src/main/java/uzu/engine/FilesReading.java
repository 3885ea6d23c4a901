package uzu.engine;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import uzu.UzuException;

/** A model's files being read on a thread of their own, while its weights are laid out. */
final class FilesReading {
    private final FutureTask<ModelFiles> task;

    private FilesReading(Callable<ModelFiles> read) {
        task = new FutureTask<>(read);
    }

    /** Begins to read. */
    static FilesReading start(Callable<ModelFiles> read) {
        FilesReading reading = new FilesReading(read);
        Thread.ofPlatform().daemon().name("uzu-files").start(reading.task);
        return reading;
    }

    /** What was read before. */
    static FilesReading done(ModelFiles files) {
        FilesReading reading = new FilesReading(() -> files);
        reading.task.run();
        return reading;
    }

    /** Waits for the end of it, and throws what ended it. */
    ModelFiles get() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true; // the caller hears of it when the model is loaded
                }
            }
        } catch (ExecutionException e) {
            throw switch (e.getCause()) {
                case UzuException failure -> failure;
                case Error error -> throw error;
                case RuntimeException unchecked -> unchecked;
                case null, default -> new UzuException.Internal("the model's files could not be read", Map.of(), e);
            };
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
