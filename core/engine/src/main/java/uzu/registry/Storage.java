package uzu.registry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where things lie in the cache: whole, verified models under {@code models/<identifier>/}, unfinished downloads under
 * {@code downloads/<identifier>/}. A model gets its place by one atomic move, so whatever is there is complete.
 */
record Storage(Path root) {
    /** The place of the model's file, whether it is there or not. */
    Path model(CatalogEntry entry) {
        return modelFolder(entry).resolve(entry.fileName());
    }

    Path modelFolder(CatalogEntry entry) {
        return root.resolve("models").resolve(folderName(entry.identifier()));
    }

    /** The folder of an unfinished download. */
    Path staging(CatalogEntry entry) {
        return root.resolve("downloads").resolve(folderName(entry.identifier()));
    }

    Path lock(CatalogEntry entry) {
        return root.resolve("downloads").resolve(folderName(entry.identifier()) + ".lock");
    }

    boolean has(CatalogEntry entry) {
        return size(model(entry)) == entry.bytes();
    }

    /** Bytes of a file, 0 when there is none. */
    static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Bytes of all files below a folder, some of which may come and go meanwhile. */
    static long sizeBelow(Path folder) {
        long bytes = 0;
        for (Path path : below(folder)) {
            bytes += Files.isRegularFile(path) ? size(path) : 0;
        }
        return bytes;
    }

    /** Deletes a folder and all in it; nothing happens when there is none. */
    static void deleteAll(Path folder) throws IOException {
        for (Path path : below(folder).reversed()) {
            Files.deleteIfExists(path);
        }
    }

    private static List<Path> below(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | UncheckedIOException e) {
            return new ArrayList<>();
        }
    }

    /** Identifiers hold colons, which Windows forbids in names. */
    private static String folderName(String identifier) {
        return identifier.replace(":", "--");
    }
}
