package uzu.app.train;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/** The one program that works in a training folder, and its start apart from the terminal. */
public final class Runner {
    private static final int SECONDS_TO_STOP = 20;
    private static final long MILLIS_TO_FAIL = 1500;

    private final Path folder;

    /** @param folder is made if need be */
    public Runner(Path folder) {
        this.folder = TrainingFolder.create(folder).path();
    }

    /** What the detached program says. */
    public Path log() {
        return folder.resolve("log.txt");
    }

    /** Whether a program is at work; its lock ends with it, however it ends. */
    public boolean isRunning() {
        try (FileChannel channel = lockFile();
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (IOException e) {
            throw Disk.failure(folder, e);
        }
    }

    private FileChannel lockFile() throws IOException {
        return FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /**
     * Does {@code work} as the only program in the folder.
     *
     * @throws UzuException.InvalidState when another is at work there
     */
    public void alone(Runnable work) {
        try (FileChannel channel = lockFile();
                FileLock lock = lock(channel)) {
            if (lock == null) {
                throw new UzuException.InvalidState("training is already running in " + folder);
            }
            Files.writeString(pidFile(), Long.toString(ProcessHandle.current().pid()));
            work.run();
        } catch (IOException e) {
            throw Disk.failure(folder, e);
        }
    }

    /** Whoever only looks whether it is locked has it for a moment. */
    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        FileLock lock = channel.tryLock();
        for (int i = 0; i < 10 && lock == null; i++) {
            pause(50);
            lock = channel.tryLock();
        }
        return lock;
    }

    private Path pidFile() {
        return folder.resolve("pid");
    }

    /** The program at work, if there is one. */
    public Optional<ProcessHandle> process() {
        try {
            return isRunning() && Files.exists(pidFile())
                    ? ProcessHandle.of(
                            Long.parseLong(Files.readString(pidFile()).strip()))
                    : Optional.empty();
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Ends the program at work; false when there is none. Nothing is lost beyond the shard or batch at work. */
    public boolean stop() {
        Optional<ProcessHandle> process = process();
        process.ifPresent(ProcessHandle::destroy);
        for (int i = 0; i < SECONDS_TO_STOP * 10 && process.isPresent() && isRunning(); i++) {
            pause(100);
        }
        if (process.isPresent() && isRunning()) {
            process.get().destroyForcibly();
        }
        return process.isPresent();
    }

    /**
     * Starts this program once more, with {@code words} for its command line, so that it outlives the terminal; its
     * output goes to {@link #log}.
     *
     * @throws UzuException.InvalidState when it ends at once, with the end of the log
     */
    public ProcessHandle startDetached(List<String> words) {
        List<String> command = new ArrayList<>();
        if (!System.getProperty("os.name").startsWith("Windows")) {
            command.addAll(List.of("nohup", "nice", "-n", "19"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "uzu.app.Main"));
        command.addAll(words);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(nothing()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
            if (process.waitFor(MILLIS_TO_FAIL, TimeUnit.MILLISECONDS) && process.exitValue() != 0) {
                throw new UzuException.InvalidState(
                        "training ended at once:\n" + String.join("\n", lastLines(5)), Map.of("log", log().toString()));
            }
            return process.toHandle();
        } catch (IOException e) {
            throw new UzuException.InvalidState("training can't be started: " + e.getMessage(), Map.of(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("interrupted while training was being started");
        }
    }

    private java.io.File nothing() {
        return Path.of(System.getProperty("os.name").startsWith("Windows") ? "NUL" : "/dev/null")
                .toFile();
    }

    /** The end of the log. */
    public List<String> lastLines(int most) {
        try {
            List<String> lines = Files.exists(log()) ? Files.readAllLines(log()) : List.of();
            return lines.subList(Math.max(0, lines.size() - most), lines.size());
        } catch (IOException e) {
            return List.of(log() + " can't be read: " + e.getMessage());
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
