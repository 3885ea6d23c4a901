package uzu.engine;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.CancelToken;
import uzu.ChatConfig;
import uzu.ChatInstance;
import uzu.ChatReplyConfig;
import uzu.ChatReplyFinishReason;
import uzu.ChatSession;
import uzu.Completion;
import uzu.CompletionStream;
import uzu.ContextLength;
import uzu.DownloadState;
import uzu.Downloader;
import uzu.DownloaderStream;
import uzu.Engine;
import uzu.EngineConfig;
import uzu.EngineEvent;
import uzu.EngineEvents;
import uzu.EngineInfo;
import uzu.Model;
import uzu.ModelCapabilities;
import uzu.ModelFamily;
import uzu.ModelRegistry;
import uzu.ModelVendor;
import uzu.UzuException;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuKernels;
import uzu.chat.ChatCapabilities;
import uzu.format.Checkpoint;
import uzu.generate.Context;
import uzu.generate.EndListener;
import uzu.generate.Instance;
import uzu.generate.Output;
import uzu.registry.Registry;

/** Models of this machine's registry, loaded when they are needed. */
final class LocalEngine implements Engine {
    private final EngineConfig config;
    private final EventStreams events = new EventStreams();
    private final Registry registry;
    private final LoadedModels loaded;
    private volatile boolean closed;

    /** @param modified as {@link ModelFiles#modified} had it */
    private record Described(Path path, long modified, ModelFiles files) {}

    /** What was read last without loading weights. */
    private volatile @Nullable Described described;

    LocalEngine(EngineConfig config) {
        this.config = config;
        this.registry = new Registry(config, this::downloadChanged);
        this.loaded = new LoadedModels(config, this::findDraftModel, events);
        // Linking and checking C takes 100 ms once in a process: beside what is read before the first model loads.
        Thread.ofPlatform().daemon().name("uzu-kernels").start(() -> CpuBackend.kernels(LoadedModel.options(config)));
    }

    @Override
    public EngineInfo info() {
        checkOpen();
        CpuKernels kernels = CpuBackend.kernels(LoadedModel.options(config));
        LoadedModels.Held held = loaded.held();
        return new EngineInfo(
                kernels.matrices(),
                kernels.rows(),
                kernels.library(),
                kernels.threads(),
                held.weightBytes(),
                held.workingBytes());
    }

    @Override
    public @Nullable Model model(String identifier) {
        checkOpen();
        return registry.find(identifier);
    }

    @Override
    public List<Model> models() {
        checkOpen();
        return List.copyOf(registry.models());
    }

    @Override
    public List<Model> modelsLocal() {
        return models().stream().filter(Model::isLocal).toList();
    }

    @Override
    public List<Model> modelsRemote() {
        return models().stream().filter(Model::isRemote).toList();
    }

    @Override
    public List<Model> modelsDownloadable() {
        return models().stream().filter(Model::isDownloadable).toList();
    }

    @Override
    public List<Model> modelsForChat() {
        return models().stream().filter(Model::isChatCapable).toList();
    }

    @Override
    public List<Model> modelsByVendor(ModelVendor vendor) {
        return models().stream()
                .filter(model ->
                        model.family() != null && vendor.equals(model.family().vendor()))
                .toList();
    }

    @Override
    public List<Model> modelsByFamily(ModelFamily family) {
        return models().stream().filter(model -> family.equals(model.family())).toList();
    }

    @Override
    public List<ModelVendor> modelVendors() {
        return modelFamilies().stream().map(ModelFamily::vendor).distinct().toList();
    }

    @Override
    public List<ModelFamily> modelFamilies() {
        return models().stream()
                .map(Model::family)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    @Override
    public List<ModelRegistry> modelRegistries() {
        checkOpen();
        return registry.registries();
    }

    @Override
    public DownloaderStream download(Model model) {
        checkOpen();
        return registry.download(model);
    }

    @Override
    public Downloader downloader(Model model) {
        checkOpen();
        return registry.downloader(model);
    }

    @Override
    public @Nullable DownloadState downloadState(Model model) {
        return model.isDownloadable() ? downloader(model).state() : null;
    }

    @Override
    public Map<String, DownloadState> downloadStates() {
        Map<String, DownloadState> states = new LinkedHashMap<>();
        for (Model model : modelsDownloadable()) {
            states.put(model.identifier(), downloader(model).state());
        }
        return states;
    }

    @Override
    public @Nullable Path modelPath(Model model) {
        checkOpen();
        return registry.path(model);
    }

    @Override
    public ChatSession chat(Model model, ChatConfig config) {
        LoadedModel use = useForChat(model, config);
        try {
            return new LocalChatSession(use, config);
        } catch (UzuException e) {
            use.release();
            throw e;
        }
    }

    @Override
    public ChatInstance chatInstance(Model model, ChatConfig config) {
        LoadedModel use = useForChat(model, config);
        try {
            return new LocalChatInstance(model, config, use);
        } catch (UzuException e) {
            use.release();
            throw e;
        }
    }

    @Override
    public ChatSession chatWithInstance(ChatInstance instance) {
        checkOpen();
        if (instance instanceof LocalChatInstance local) {
            return local.newSession();
        }
        throw new UzuException.InvalidArgument("the instance is another engine's", Map.of("field", "instance"));
    }

    private LoadedModel useForChat(Model model, ChatConfig config) {
        Path path = path(model);
        LoadedModel use = loaded.use(model, path, reading(model, path), config.kvCache());
        if (!use.files().prompts().hasTemplate()) {
            use.release();
            throw new UzuException.InvalidArgument(
                    model.identifier() + " has no chat template; complete() continues a raw text",
                    Map.of("model", model.identifier(), "field", "chat_template"));
        }
        return use;
    }

    @Override
    public Completion complete(Model model, String text, ChatReplyConfig config) {
        return startCompletion(model, text, config).rest();
    }

    @Override
    public CompletionStream completeWithStream(Model model, String text, ChatReplyConfig config) {
        return startCompletion(model, text, config);
    }

    private LocalCompletionStream startCompletion(Model model, String text, ChatReplyConfig config) {
        long started = System.nanoTime();
        ChatConfig usual = ChatConfig.create();
        Path path = path(model);
        LoadedModel use = loaded.useAndKeep(model, path, reading(model, path), usual.kvCache());
        try {
            int[] prompt = use.files().prompts().ofText(text);
            int contextLength = ContextLengths.resolve(new ContextLength.Maximal(), use.contextLength());
            CancelToken cancelToken = CancelToken.create();
            Instance instance = use.instance();
            Context context = instance.newContext();
            Output output = instance.generate(
                    context,
                    Requests.of(
                            prompt,
                            Set.of(),
                            config,
                            usual.samplingSeed(),
                            use.files().recommended(),
                            contextLength,
                            use.drafters().speculation(usual.speculationPreset()),
                            Requests.constraint(
                                    config, use.grammars(), Requests.tokensLeft(prompt, config, contextLength)),
                            cancelToken,
                            started),
                    new Unrecorded());
            return new LocalCompletionStream(output, cancelToken, () -> {
                instance.release(context);
                use.release();
            });
        } catch (Throwable e) {
            use.release();
            throw e;
        }
    }

    /** A completion has no history. */
    private static final class Unrecorded implements EndListener {
        @Override
        public void finished(String text, ChatReplyFinishReason reason) {}

        @Override
        public void failed(UzuException error) {}
    }

    @Override
    public int countTokens(Model model, String text) {
        return files(model, path(model)).tokenizer().encode(text, true).length;
    }

    @Override
    public ModelCapabilities capabilities(Model model) {
        ModelFiles files = files(model, path(model));
        ChatCapabilities template = files.prompts().capabilities();
        return new ModelCapabilities(
                files.prompts().hasTemplate(),
                template.thinking(),
                files.prompts().toolSupport(),
                files.contextLength());
    }

    private ModelFiles files(Model model, Path path) {
        long modified = ModelFiles.modified(path);
        ModelFiles known = known(path, modified);
        return known == null ? read(model, path, modified) : known;
    }

    /** For who loads the weights meanwhile. */
    private FilesReading reading(Model model, Path path) {
        long modified = ModelFiles.modified(path);
        ModelFiles known = known(path, modified);
        return known == null ? FilesReading.start(() -> read(model, path, modified)) : FilesReading.done(known);
    }

    private @Nullable ModelFiles known(Path path, long modified) {
        ModelFiles inMemory = loaded.files(path);
        if (inMemory != null) {
            return inMemory;
        }
        // Another file in its place has another vocabulary, which would read and write nonsense in silence.
        Described last = described;
        return last != null && last.path().equals(path) && last.modified() == modified ? last.files() : null;
    }

    private ModelFiles read(Model model, Path path, long modified) {
        try (Checkpoint checkpoint = ModelFiles.open(path)) {
            ModelFiles files = ModelFiles.read(checkpoint, registry.sampling(model));
            described = new Described(path, modified, files);
            return files;
        } catch (InternalError e) {
            // What Java makes of a page fault in a mapping whose file lost its end.
            throw new UzuException.ModelCorrupt(
                    path + " was changed while it was read", Map.of("path", path.toString()), e);
        }
    }

    private DraftModels.Found findDraftModel(String identifier) {
        Model model = model(identifier);
        if (model == null) {
            throw new UzuException.ModelNotFound(
                    "there is no model " + identifier + " to draft with",
                    Map.of("model", identifier, "field", "drafters"));
        }
        Path path = path(model);
        return new DraftModels.Found(path, files(model, path));
    }

    private Path path(Model model) {
        checkOpen();
        Path path = registry.path(model);
        if (path != null) {
            return path;
        }
        Map<String, String> details = Map.of("model", model.identifier());
        throw model.isDownloadable()
                ? new UzuException.InvalidState(model.identifier() + " isn't downloaded yet", details)
                : new UzuException.ModelNotFound(model.identifier() + " isn't on this machine", details);
    }

    private void downloadChanged(String identifier, Downloader download) {
        events.publish(() -> new EngineEvent.Download(identifier, download.state()));
    }

    @Override
    public EngineEvents events() {
        return events.open();
    }

    private void checkOpen() {
        if (closed) {
            throw new UzuException.Closed("the engine is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
        registry.close();
        loaded.close();
        events.close();
    }
}
