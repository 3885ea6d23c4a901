package uzu.polyglot;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/** What {@code process.js} makes Node's {@code process} of. */
final class NodeProcess {
    private final EventLoop loop;
    private final Path file;
    private final List<String> arguments;
    private final Runnable beforeExit;
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private final OutputStream err = new FileOutputStream(FileDescriptor.err);
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final ExecutorService reader = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "uzu-stdin");
        thread.setDaemon(true);
        return thread;
    });

    NodeProcess(EventLoop loop, Path file, List<String> arguments, Runnable beforeExit) {
        this.loop = loop;
        this.file = file;
        this.arguments = arguments;
        this.beforeExit = beforeExit;
    }

    @Nullable ProxyExecutable function(String name) {
        return switch (name) {
            case "arguments" -> values -> ProxyArray.fromList(List.copyOf(arguments));
            case "file" -> values -> file.toString();
            case "folder" -> values -> Path.of("").toAbsolutePath().toString();
            case "environment" -> values -> environment();
            case "platform" -> values -> platform();
            case "architecture" -> values -> architecture();
            case "program" -> values -> ProcessHandle.current().info().command().orElse("graaljs");
            case "memory" -> values -> memory();
            case "identifier" -> values -> (double) ProcessHandle.current().pid();
            case "isTerminal" -> values -> Terminal.is(values[0].asInt());
            case "nanoTime" -> values -> (double) System.nanoTime();
            case "write" -> this::write;
            case "readLine" -> this::readLine;
            case "exit" -> this::exit;
            default -> null;
        };
    }

    private static ProxyObject environment() {
        return ProxyObject.fromMap(new java.util.HashMap<>(System.getenv()));
    }

    private static String platform() {
        String system = System.getProperty("os.name");
        return system.startsWith("Windows") ? "win32" : system.startsWith("Mac") ? "darwin" : "linux";
    }

    private static String architecture() {
        return switch (System.getProperty("os.arch")) {
            case "amd64", "x86_64" -> "x64";
            case "aarch64" -> "arm64";
            default -> System.getProperty("os.arch");
        };
    }

    /** Bytes of Java's heap, and those of them in use. */
    private static ProxyArray memory() {
        Runtime runtime = Runtime.getRuntime();
        long total = runtime.totalMemory();
        return ProxyArray.fromArray((double) total, (double) (total - runtime.freeMemory()));
    }

    /** (1 or 2, text) */
    private @Nullable Object write(Value... values) {
        try {
            (values[0].asInt() == 2 ? err : out).write(values[1].asString().getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    /** (function that gets a line, null at the end); the loop waits for it. */
    private @Nullable Object readLine(Value... values) {
        Value function = values[0];
        loop.hold(true);
        reader.execute(() -> {
            String line = line();
            loop.post(() -> {
                loop.hold(false);
                function.executeVoid(line);
            });
        });
        return null;
    }

    private @Nullable String line() {
        try {
            return in.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Object exit(Value... values) {
        beforeExit.run();
        Runtime.getRuntime().exit(values[0].asInt());
        throw new IllegalStateException("the program has ended");
    }
}
