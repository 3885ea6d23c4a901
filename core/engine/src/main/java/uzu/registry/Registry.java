package uzu.registry;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import uzu.Downloader;
import uzu.DownloaderStream;
import uzu.EngineConfig;
import uzu.Model;
import uzu.ModelRegistry;
import uzu.SamplingMethod;
import uzu.UzuException;

/** Which models there are, where they lie, and how they get here. Opening one connects to nothing. */
public final class Registry implements AutoCloseable {
    private final Catalog catalog;
    private final Storage storage;
    private final @Nullable Path localFolder;
    private final boolean offline;
    private final Supplier<Pip> pips;
    private final BiConsumer<String, Downloader> changed;
    private final Map<String, ModelDownload> downloads = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** @param changed told of each change of a download, by its model's identifier */
    public Registry(EngineConfig config, BiConsumer<String, Downloader> changed) {
        this(Catalog.builtIn(), config, Pip::find, changed);
    }

    Registry(Catalog catalog, EngineConfig config, Supplier<Pip> pips, BiConsumer<String, Downloader> changed) {
        this.catalog = catalog;
        this.storage = new Storage(config.cachePath().toAbsolutePath());
        this.localFolder = config.localPath();
        this.offline = config.offline();
        this.pips = pips;
        this.changed = changed;
    }

    /** The catalog's models, then those of the user's own folder. */
    public List<Model> models() {
        List<Model> models = new ArrayList<>();
        catalog.entries().forEach(entry -> models.add(entry.model()));
        if (localFolder != null) {
            models.addAll(LocalModels.list(localFolder));
        }
        return models;
    }

    public List<ModelRegistry> registries() {
        return List.of(Catalog.REGISTRY, LocalModels.REGISTRY);
    }

    /**
     * The model of a full identifier, a repository id, a shorthand ({@code smollm2}, {@code qwen2.5-coder:1.5b}), or a
     * path, also one inside the user's own folder; null when nothing goes by that name.
     *
     * @throws UzuException when there is a file or folder of that name, but it can't be read as a model
     */
    public @Nullable Model find(String name) {
        CatalogEntry entry = catalog.find(name);
        if (entry != null) {
            return entry.model();
        }
        try {
            Path path = Path.of(name);
            if (localFolder != null && Files.exists(localFolder.resolve(path))) {
                return LocalModels.find(localFolder.resolve(path));
            }
            return name.isEmpty() ? null : LocalModels.find(path);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** The sampling that the model's makers recommend, as far as the catalog knows; else greedy. */
    public SamplingMethod sampling(Model model) {
        CatalogEntry entry = catalog.entry(model.identifier());
        return entry == null ? new SamplingMethod.Greedy() : entry.sampling();
    }

    /** The file or folder of a model on this machine, null when it isn't there. */
    public @Nullable Path path(Model model) {
        CatalogEntry entry = catalog.entry(model.identifier());
        if (entry != null) {
            return storage.has(entry) ? storage.model(entry) : null;
        }
        try {
            Path path = Path.of(model.identifier());
            return path.isAbsolute() && Files.exists(path) ? path : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /**
     * Starts fetching a model, or joins the run in progress; the stream is finished when the model is there already.
     *
     * @throws UzuException.InvalidArgument when no catalog knows where to fetch it
     */
    public DownloaderStream download(Model model) {
        return modelDownload(model).download();
    }

    /**
     * The download of a model; the same object for the same model.
     *
     * @throws UzuException.InvalidArgument when no catalog knows where to fetch it
     */
    public Downloader downloader(Model model) {
        return modelDownload(model);
    }

    private ModelDownload modelDownload(Model model) {
        CatalogEntry entry = catalog.entry(model.identifier());
        if (entry == null) {
            throw new UzuException.InvalidArgument(
                    model.identifier() + " is not a model that can be downloaded", Map.of("model", model.identifier()));
        }
        if (closed) {
            throw new UzuException.Closed("the engine is closed");
        }
        return downloads.computeIfAbsent(
                entry.identifier(), identifier -> new ModelDownload(entry, storage, pips, offline, changed));
    }

    /** Stops running downloads, keeping what they fetched. Idempotent. */
    @Override
    public void close() {
        closed = true;
        downloads.values().forEach(ModelDownload::close);
    }
}
