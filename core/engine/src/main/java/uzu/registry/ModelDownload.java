package uzu.registry;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import uzu.DownloadPhase;
import uzu.DownloadState;
import uzu.Downloader;
import uzu.DownloaderStream;
import uzu.DownloaderStreamUpdate;
import uzu.UzuException;

/**
 * The download of one model, on a thread of its own. What is on the disk is the truth; this adds the run in progress
 * and the last failure.
 */
final class ModelDownload implements Downloader {
    private static final long LOCK_POLL_MILLIS = 200;

    private final CatalogEntry entry;
    private final Storage storage;
    private final Supplier<Pip> pips;
    private final boolean offline;
    private final BiConsumer<String, Downloader> listener;

    private final ReentrantLock monitor = new ReentrantLock();
    private final Condition changed = monitor.newCondition();
    private final List<Progress> watchers = new ArrayList<>();
    private volatile boolean stop;
    private @Nullable Thread worker;
    /** Set when the worker has only to tell how it ended: those who wait for it go on after that. */
    private boolean telling;

    private boolean waitsForOther;
    private long bytes;
    private @Nullable UzuException failure;

    /** @param listener told of each change, outside the monitor */
    ModelDownload(
            CatalogEntry entry,
            Storage storage,
            Supplier<Pip> pips,
            boolean offline,
            BiConsumer<String, Downloader> listener) {
        this.entry = entry;
        this.storage = storage;
        this.pips = pips;
        this.offline = offline;
        this.listener = listener;
    }

    @Override
    public DownloadState state() {
        monitor.lock();
        try {
            if (worker != null && !telling) {
                return state(bytes, waitsForOther ? new DownloadPhase.Locked() : new DownloadPhase.Downloading());
            }
            if (storage.has(entry)) {
                return state(entry.bytes(), new DownloadPhase.Downloaded());
            }
            long kept = ModelFetch.bytesKept(storage, entry);
            if (DownloadLock.isHeld(storage.lock(entry))) {
                return state(kept, new DownloadPhase.Locked());
            }
            if (failure != null) {
                return state(kept, new DownloadPhase.Error(String.valueOf(failure.getMessage())));
            }
            return state(kept, kept > 0 ? new DownloadPhase.Paused() : new DownloadPhase.NotDownloaded());
        } finally {
            monitor.unlock();
        }
    }

    /**
     * Starts, or joins the run in progress.
     *
     * @return what happens from now on; a failure is thrown by it
     */
    DownloaderStream download() {
        DownloaderStream stream;
        boolean changes;
        monitor.lock();
        try {
            Progress watcher = new Progress();
            try {
                changes = start();
            } catch (UzuException.Offline e) {
                failure = e;
                changes = true;
            }
            stream = watched(watcher, worker == null && failure == null);
        } finally {
            monitor.unlock();
        }
        if (changes) {
            tell();
        }
        return stream;
    }

    @Override
    public void resume() {
        boolean starts;
        monitor.lock();
        try {
            starts = start();
        } finally {
            monitor.unlock();
        }
        if (starts) {
            tell();
        }
    }

    @Override
    public void pause() {
        Thread running = worker();
        if (running == null) {
            throw new UzuException.InvalidState(
                    entry.identifier() + " is not being downloaded", Map.of("model", entry.identifier()));
        }
        stopAndWait(running);
    }

    @Override
    public void delete() {
        Thread running = worker();
        if (running != null) {
            stopAndWait(running);
        }
        try (DownloadLock lock = DownloadLock.tryAcquire(storage.lock(entry))) {
            if (lock == null) {
                throw new UzuException.InvalidState(
                        entry.identifier() + " is being downloaded by another process",
                        Map.of("model", entry.identifier()));
            }
            Storage.deleteAll(storage.modelFolder(entry));
            Storage.deleteAll(storage.staging(entry));
            monitor.lock();
            failure = null;
            monitor.unlock();
        } catch (IOException e) {
            throw new UzuException.InvalidState(
                    entry.identifier() + " could not be deleted: " + e, Map.of("model", entry.identifier()), e);
        }
        tell();
    }

    private void tell() {
        listener.accept(entry.identifier(), this);
    }

    @Override
    public DownloaderStream progress() {
        monitor.lock();
        try {
            return watched(new Progress(), worker == null);
        } finally {
            monitor.unlock();
        }
    }

    private DownloaderStream watched(Progress watcher, boolean ended) {
        if (ended) {
            watcher.ended = true;
        } else {
            watchers.add(watcher);
        }
        return watcher;
    }

    /** Ends a run in progress, if any, keeping what was fetched. */
    void close() {
        Thread running = worker();
        if (running != null) {
            stopAndWait(running);
        }
    }

    /** Whether a run began. */
    private boolean start() {
        if (worker != null && !telling) {
            return false;
        }
        failure = null;
        if (storage.has(entry)) {
            return false;
        }
        if (offline) {
            throw new UzuException.Offline(
                    entry.identifier() + " is not on this machine, and the engine is set to offline",
                    Map.of("model", entry.identifier()));
        }
        stop = false;
        telling = false;
        bytes = ModelFetch.bytesKept(storage, entry);
        worker = Thread.ofPlatform().name("uzu-download").daemon().start(this::run);
        return true;
    }

    private void run() {
        UzuException failed = null;
        try (DownloadLock lock = lock()) {
            if (lock != null && !storage.has(entry)) {
                new ModelFetch(entry, storage, pips, this::advance, () -> stop).run();
            }
        } catch (UzuException e) {
            failed = e;
        } catch (IOException | RuntimeException | Error e) {
            failed = new UzuException.DownloadFailed(
                    entry.identifier() + ": " + e, Map.of("model", entry.identifier()), e);
        }
        monitor.lock();
        failure = failed;
        telling = true;
        monitor.unlock();
        tell();
        monitor.lock();
        if (worker == Thread.currentThread()) { // else who was told has started the next run
            worker = null;
        }
        monitor.unlock();
        wake();
    }

    /** Waits while another process fetches the model; null when stopped meanwhile. */
    private @Nullable DownloadLock lock() throws IOException {
        while (!stop) {
            DownloadLock lock = DownloadLock.tryAcquire(storage.lock(entry));
            monitor.lock();
            waitsForOther = lock == null;
            monitor.unlock();
            if (lock != null) {
                return lock;
            }
            advance(ModelFetch.bytesKept(storage, entry));
            try {
                Thread.sleep(LOCK_POLL_MILLIS);
            } catch (InterruptedException e) {
                return null;
            }
        }
        return null;
    }

    private void advance(long now) {
        monitor.lock();
        boolean moved = now != bytes;
        bytes = now;
        monitor.unlock();
        if (moved) {
            wake();
            tell();
        }
    }

    /** Wakes those who wait, and calls their listeners outside the monitor, as they may call back. */
    private void wake() {
        List<Runnable> listeners = new ArrayList<>();
        monitor.lock();
        try {
            changed.signalAll();
            for (Progress watcher : watchers) {
                if (watcher.listener != null && watcher.ready()) {
                    listeners.add(watcher.listener);
                    watcher.listener = null;
                }
            }
        } finally {
            monitor.unlock();
        }
        listeners.forEach(Runnable::run);
    }

    private @Nullable Thread worker() {
        monitor.lock();
        try {
            return worker;
        } finally {
            monitor.unlock();
        }
    }

    private void stopAndWait(Thread running) {
        stop = true;
        if (running == Thread.currentThread()) { // a listener calls back, and would wait for itself
            return;
        }
        try {
            running.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("interrupted while a download stops");
        }
    }

    private DownloadState state(long downloaded, DownloadPhase phase) {
        return new DownloadState(entry.bytes(), downloaded, phase);
    }

    /** A watcher of this download; its fields belong to the monitor. */
    private final class Progress implements DownloaderStream {
        private long handed = -1;
        private boolean ended;
        private @Nullable Runnable listener;

        @Override
        public @Nullable DownloaderStreamUpdate next() {
            return await(Long.MAX_VALUE);
        }

        @Override
        public @Nullable DownloaderStreamUpdate next(Duration timeout) {
            return await(timeout.toNanos());
        }

        private @Nullable DownloaderStreamUpdate await(long nanos) {
            monitor.lock();
            try {
                long left = nanos;
                while (!ready() && left > 0) {
                    left = changed.awaitNanos(left);
                }
                return ready() ? take() : null;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UzuException.Cancelled("interrupted while waiting for a download");
            } finally {
                monitor.unlock();
            }
        }

        private boolean ready() {
            return ended || worker == null || bytes != handed;
        }

        private @Nullable DownloaderStreamUpdate take() {
            if (ended) {
                return null;
            }
            if (worker != null) {
                handed = bytes;
                return new DownloaderStreamUpdate(entry.bytes(), handed);
            }
            end();
            if (failure != null) {
                throw failure;
            }
            return storage.has(entry) ? new DownloaderStreamUpdate(entry.bytes(), entry.bytes()) : null;
        }

        private void end() {
            ended = true;
            watchers.remove(this);
        }

        @Override
        public boolean isFinished() {
            monitor.lock();
            try {
                return ended;
            } finally {
                monitor.unlock();
            }
        }

        @Override
        public void onReady(Runnable listener) {
            monitor.lock();
            try {
                if (!ready()) {
                    this.listener = listener;
                    return;
                }
            } finally {
                monitor.unlock();
            }
            listener.run();
        }

        @Override
        public void close() {
            Runnable waiting;
            monitor.lock();
            try {
                end();
                waiting = listener;
                listener = null;
                changed.signalAll();
            } finally {
                monitor.unlock();
            }
            if (waiting != null) {
                waiting.run();
            }
        }
    }
}
