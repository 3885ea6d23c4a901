package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A program to run, with its arguments, folder and additions to the environment; immutable. */
record Subprocess(List<String> command, Optional<Path> folder, Map<String, String> environment) {
    private static final long SECONDS_TO_END_AFTER_INTERRUPT = 10;

    static Subprocess of(Object... command) {
        return of(List.of(command));
    }

    static Subprocess of(List<?> command) {
        return new Subprocess(command.stream().map(String::valueOf).toList(), Optional.empty(), Map.of());
    }

    Subprocess arguments(List<?> more) {
        List<String> all = new ArrayList<>(command);
        more.forEach(each -> all.add(String.valueOf(each)));
        return new Subprocess(List.copyOf(all), folder, environment);
    }

    Subprocess in(Path directory) {
        return new Subprocess(command, Optional.of(directory), environment);
    }

    Subprocess with(String variable, Object value) {
        return with(Map.of(variable, String.valueOf(value)));
    }

    Subprocess with(Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(variables);
        return new Subprocess(command, folder, Map.copyOf(all));
    }

    /** Runs it on our own input and output; the exit status. */
    int run() {
        Process process = start(builder().inheritIO());
        // Ctrl-C reaches the program too; it must have the time to end in its own way before the terminal is free.
        Thread wait = new Thread(() -> await(process));
        Runtime.getRuntime().addShutdownHook(wait);
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            throw new Failure("interrupted", 130);
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(wait);
            } catch (IllegalStateException e) {
                // The hook is running already.
            }
        }
    }

    /** Runs it like {@link #run}, and shows and hands over each line of its output. */
    int run(Consumer<String> line) {
        Process process = start(builder()
                .redirectInput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT));
        process.inputReader(StandardCharsets.UTF_8).lines().forEach(each -> {
            System.out.println(each);
            line.accept(each);
        });
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            throw new Failure("interrupted", 130);
        }
    }

    /** Runs it like {@link #run()}; anything but success is a failure with this line. */
    void orFail(String line) {
        if (run() != 0) {
            throw new Failure(line);
        }
    }

    /** What it prints, when it exists and succeeds; what it has to say about errors is dropped. */
    Optional<String> output() {
        return output(ProcessBuilder.Redirect.DISCARD);
    }

    /** What it prints, when it succeeds; progress and errors go where ours go. */
    Optional<String> outputWithErrorsShown() {
        return output(ProcessBuilder.Redirect.INHERIT);
    }

    private Optional<String> output(ProcessBuilder.Redirect errors) {
        try {
            Process process = builder().redirectError(errors).start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.of(text.strip()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new Failure("interrupted", 130);
        }
    }

    /** The program of this name on the PATH. */
    static Optional<Path> find(String name) {
        List<String> endings = Workspace.isWindows() ? List.of(".exe", ".cmd", ".bat") : List.of("");
        for (String folder : System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator)) {
            for (String ending : endings) {
                Path candidate = Path.of(folder, name + ending);
                if (!folder.isEmpty() && Files.isExecutable(candidate) && Files.isRegularFile(candidate)) {
                    return Optional.of(candidate);
                }
            }
        }
        return Optional.empty();
    }

    private ProcessBuilder builder() {
        ProcessBuilder builder = new ProcessBuilder(command);
        folder.ifPresent(directory -> builder.directory(directory.toFile()));
        builder.environment().putAll(environment);
        return builder;
    }

    /** Starts it; its input and output are the caller's, its errors go where ours go. */
    Process open() {
        return start(builder().redirectError(ProcessBuilder.Redirect.INHERIT));
    }

    private Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.getFirst(), e);
        }
    }

    private static void await(Process process) {
        try {
            if (!process.waitFor(SECONDS_TO_END_AFTER_INTERRUPT, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }
}
