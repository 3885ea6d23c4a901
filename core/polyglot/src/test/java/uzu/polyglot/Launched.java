package uzu.polyglot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What a script in a process of its own came to, as a user's shell sees it. */
record Launched(int status, String out, String errors) {
    private static final int MOST_SECONDS = 60;

    /** Runs the script with a line on its input, {@code ada}. */
    static Launched run(String language, Path file, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                Launcher.class.getName(),
                language,
                file.toString()));
        command.addAll(List.of(arguments));
        Path errors = Files.createTempFile("uzu-errors", ".txt");
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
            process.getOutputStream().write("ada\n".getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Launched(process.waitFor(), out, Files.readString(errors));
        } finally {
            Files.delete(errors);
        }
    }
}
