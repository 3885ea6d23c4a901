package uzu.registry;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second process from fetching the same model: a file with the process id, the process's start time, and a
 * token of the holder. A file rather than an OS lock, since those are per process on POSIX, and lost when any of its
 * threads closes the file. It is stale once that process has ended.
 */
final class DownloadLock implements AutoCloseable {
    private static final int EMPTY_SECONDS = 10;

    private final Path file;
    private final String content;

    private DownloadLock(Path file, String content) {
        this.file = file;
        this.content = content;
    }

    /** Null when another holder has it. */
    static @Nullable DownloadLock tryAcquire(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        ProcessHandle self = ProcessHandle.current();
        String content = self.pid() + " " + start(self) + " " + UUID.randomUUID();
        for (int attempt = 0; attempt < 2; attempt++) {
            try {
                Files.writeString(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                return new DownloadLock(file, content);
            } catch (FileAlreadyExistsException held) {
                if (isHeld(file)) {
                    return null;
                }
                // Whoever moves the stale file away first may try again; the others find it gone.
                Path stale = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID());
                try {
                    Files.move(file, stale);
                    Files.delete(stale);
                } catch (NoSuchFileException taken) {
                    return null;
                }
            }
        }
        return null;
    }

    static boolean isHeld(Path file) {
        String[] fields;
        try {
            fields = Files.readString(file).split(" ");
        } catch (IOException e) {
            return false;
        }
        if (fields.length < 2) {
            return isNew(file);
        }
        try {
            Optional<ProcessHandle> holder = ProcessHandle.of(Long.parseLong(fields[0]));
            return holder.isPresent() && holder.get().isAlive() && fields[1].equals(start(holder.get()));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** An empty lock was created a moment ago and gets its content now, or its holder ended in between. */
    private static boolean isNew(Path file) {
        try {
            return Files.getLastModifiedTime(file)
                    .toInstant()
                    .isAfter(Instant.now().minusSeconds(EMPTY_SECONDS));
        } catch (IOException e) {
            return false;
        }
    }

    /** A process id is used again after a while; its start time tells the two apart. */
    private static String start(ProcessHandle process) {
        return process.info().startInstant().map(Object::toString).orElse("?");
    }

    @Override
    public void close() throws IOException {
        try {
            if (Files.readString(file).equals(content)) {
                Files.delete(file);
            }
        } catch (NoSuchFileException gone) {
            // deleted together with the cache
        }
    }
}
