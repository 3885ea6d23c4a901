package uzu.engine;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.EngineConfig;
import uzu.KvCache;
import uzu.UzuException;

/** The models in memory: the same file with the same cache type is loaded once. Loads one model at a time. */
final class LoadedModels implements AutoCloseable {
    private record Key(Path path, KvCache cache) {}

    private final EngineConfig config;
    private final DraftModels.Finder finder;
    private final Object loading = new Object();
    private final Map<Key, LoadedModel> loaded = new HashMap<>();

    /**
     * The model that was last used without an instance or session, with one use counted; guarded by {@link #loading}.
     */
    private @Nullable LoadedModel resident;

    private @Nullable Key residentKey;
    private boolean closed;

    /** @param finder of models that may draft for others */
    LoadedModels(EngineConfig config, DraftModels.Finder finder) {
        this.config = config;
        this.finder = finder;
    }

    /** A loaded model with one use counted for the caller, who releases it. */
    LoadedModel use(Path path, FilesReading files, KvCache cache) {
        synchronized (loading) {
            Key key = new Key(path, cache);
            LoadedModel known = find(key);
            if (known != null) {
                return known;
            }
            LoadedModel fresh = LoadedModel.load(path, files, config, cache, finder, model -> forget(key, model));
            put(key, fresh);
            return fresh;
        }
    }

    /** The same, and the model stays in memory until another one is kept. */
    LoadedModel useAndKeep(Path path, FilesReading files, KvCache cache) {
        synchronized (loading) {
            Key key = new Key(path, cache);
            if (!key.equals(residentKey)) {
                releaseResident();
            }
            LoadedModel model = use(path, files, cache);
            if (model != resident && model.acquire()) {
                releaseResident();
                resident = model;
                residentKey = key;
            }
            return model;
        }
    }

    /** The files of a model in memory. */
    @Nullable ModelFiles files(Path path) {
        synchronized (loaded) {
            for (Map.Entry<Key, LoadedModel> entry : loaded.entrySet()) {
                if (entry.getKey().path().equals(path)) {
                    return entry.getValue().files();
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
            for (LoadedModel model : loaded.values()) {
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
            LoadedModel model = loaded.get(key);
            return model != null && model.acquire() ? model : null;
        }
    }

    private void put(Key key, LoadedModel model) {
        synchronized (loaded) {
            loaded.put(key, model);
        }
    }

    private void forget(Key key, LoadedModel model) {
        synchronized (loaded) {
            loaded.remove(key, model);
        }
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
            List<LoadedModel> all;
            synchronized (loaded) {
                closed = true;
                all = List.copyOf(loaded.values());
                loaded.clear();
            }
            all.forEach(LoadedModel::close);
        }
    }
}
