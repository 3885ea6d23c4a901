package uzu.polyglot;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** What {@code node:fs} is made of: texts in UTF-8, and folders. Each function gives its result, or a code and a message. */
final class NodeFiles {
    @FunctionalInterface
    private interface Action {
        @Nullable Object on(Path path, Value[] values) throws IOException;
    }

    @Nullable ProxyExecutable function(String name) {
        return switch (name) {
            case "exists" -> answering((path, values) -> Files.exists(path));
            case "read" -> answering((path, values) -> Files.readString(path));
            case "write" ->
                answering((path, values) ->
                        Files.writeString(path, values[1].asString()).toString());
            case "list" -> answering((path, values) -> ProxyArray.fromList(List.copyOf(names(path))));
            case "makeFolder" ->
                answering((path, values) -> (values[1].asBoolean()
                                ? Files.createDirectories(path)
                                : Files.createDirectory(path))
                        .toString());
            case "makeTemporary" -> answering((path, values) -> temporary(path).toString());
            case "remove" ->
                answering((path, values) -> {
                    remove(path, values[1].asBoolean());
                    return null;
                });
            default -> null;
        };
    }

    private static List<Object> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.<Object>map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    /** A new folder whose path begins with what is given. */
    private static Path temporary(Path start) throws IOException {
        Path folder = start.toAbsolutePath().getParent();
        return Files.createTempDirectory(folder, start.getFileName().toString());
    }

    private static void remove(Path path, boolean all) throws IOException {
        if (!all) {
            Files.delete(path);
            return;
        }
        try (Stream<Path> below = Files.walk(path)) {
            for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static ProxyExecutable answering(Action action) {
        return values -> {
            Path path = Path.of(values[0].asString());
            try {
                return ProxyArray.fromArray(action.on(path, values), null);
            } catch (NoSuchFileException failure) {
                return ProxyArray.fromArray(null, "ENOENT", "no such file or directory: " + path);
            } catch (FileAlreadyExistsException failure) {
                return ProxyArray.fromArray(null, "EEXIST", "file already exists: " + path);
            } catch (IOException failure) {
                return ProxyArray.fromArray(null, "EIO", failure.toString());
            }
        };
    }
}
