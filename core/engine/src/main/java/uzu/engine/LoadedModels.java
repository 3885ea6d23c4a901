package uzu.engine;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.EngineConfig;
import uzu.EngineEvent;
import uzu.KvCache;
import uzu.Model;
import uzu.UzuException;

/** The models in memory: the same file with the same cache type is loaded once. Loads one model at a time. */
final class LoadedModels implements AutoCloseable {
    private record Key(Path path, KvCache cache) {}

    /** @param identifier what it was first called */
    private record Entry(String identifier, LoadedModel model) {}

    private final EngineConfig config;
    private final DraftModels.Finder finder;
    private final EventStreams events;
    private final Object loading = new Object();
    private final Map<Key, Entry> loaded = new HashMap<>();

    /**
     * The model that was last used without an instance or session, with one use counted; guarded by {@link #loading}.
     */
    private @Nullable LoadedModel resident;

    private @Nullable Key residentKey;
    private boolean closed;

    /** @param finder of models that may draft for others */
    LoadedModels(EngineConfig config, DraftModels.Finder finder, EventStreams events) {
        this.config = config;
        this.finder = finder;
        this.events = events;
    }

    /** A loaded model with one use counted for the caller, who releases it. */
    LoadedModel use(Model model, Path path, FilesReading files, KvCache cache) {
        synchronized (loading) {
            Key key = new Key(path, cache);
            LoadedModel known = find(key);
            if (known != null) {
                return known;
            }
            LoadedModel fresh = LoadedModel.load(path, files, config, cache, finder, unused -> forget(key, unused));
            put(key, new Entry(model.identifier(), fresh));
            events.publish(() -> new EngineEvent.ModelLoaded(model.identifier(), path, fresh.weightBytes()));
            return fresh;
        }
    }

    /** The same, and the model stays in memory until another one is kept. */
    LoadedModel useAndKeep(Model model, Path path, FilesReading files, KvCache cache) {
        synchronized (loading) {
            Key key = new Key(path, cache);
            if (!key.equals(residentKey)) {
                releaseResident();
            }
            LoadedModel used = use(model, path, files, cache);
            if (used != resident && used.acquire()) {
                releaseResident();
                resident = used;
                residentKey = key;
            }
            return used;
        }
    }

    /** The files of a model in memory. */
    @Nullable ModelFiles files(Path path) {
        synchronized (loaded) {
            for (Map.Entry<Key, Entry> entry : loaded.entrySet()) {
                if (entry.getKey().path().equals(path)) {
                    return entry.getValue().model().files();
                }
            }
            return null;
        }
    }

    /** Bytes of the weights of all models and their draft models, and bytes of their keys, values and scratch. */
    Held held() {
        synchronized (loaded) {
            long weights = 0;
            long working = 0;
            for (Entry entry : loaded.values()) {
                LoadedModel model = entry.model();
                weights += model.weightBytes() + model.drafters().weightBytes();
                working += model.instance().memoryBytes() - model.weightBytes();
            }
            return new Held(weights, working);
        }
    }

    record Held(long weightBytes, long workingBytes) {}

    private @Nullable LoadedModel find(Key key) {
        synchronized (loaded) {
            if (closed) {
                throw new UzuException.Closed("the engine is closed");
            }
            Entry entry = loaded.get(key);
            return entry != null && entry.model().acquire() ? entry.model() : null;
        }
    }

    private void put(Key key, Entry entry) {
        synchronized (loaded) {
            loaded.put(key, entry);
        }
    }

    private void forget(Key key, LoadedModel model) {
        Entry entry;
        synchronized (loaded) {
            entry = loaded.get(key);
            if (entry == null || entry.model() != model) {
                return;
            }
            loaded.remove(key);
        }
        String identifier = entry.identifier();
        events.publish(() -> new EngineEvent.ModelUnloaded(identifier));
    }

    private void releaseResident() {
        LoadedModel old = resident;
        resident = null;
        residentKey = null;
        if (old != null) {
            old.release();
        }
    }

    /** Ends running replies and frees all, whoever uses them. */
    @Override
    public void close() {
        synchronized (loading) {
            List<Entry> all;
            synchronized (loaded) {
                closed = true;
                all = List.copyOf(loaded.values());
                loaded.clear();
            }
            for (Entry entry : all) {
                entry.model().close();
                events.publish(() -> new EngineEvent.ModelUnloaded(entry.identifier()));
            }
        }
    }
}
