package uzu;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Models found, fetched, loaded and talked to. Creating an engine opens no connection and loads nothing. All methods
 * may be called from any thread; those that wait are made for virtual threads, and an interrupt ends the wait with
 * {@link UzuException.Cancelled}. Every failure is a {@link UzuException}.
 */
public interface Engine extends AutoCloseable {
    /** An engine as {@link EngineConfig#create()} describes it. */
    static Engine create() {
        return create(EngineConfig.create());
    }

    static Engine create(EngineConfig config) {
        return ServiceLoader.load(EngineProvider.class, Engine.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new UzuException.Internal("no engine implementation on the class or module path"))
                .create(config);
    }

    /** What this engine computes with, and the memory that it holds now. */
    EngineInfo info();

    /**
     * The model that {@code identifier} names: a full identifier, a shorthand ({@code smollm2},
     * {@code qwen2.5-coder:1.5b}), a repository id, or the path of a GGUF file or model folder; null when none does.
     */
    @Nullable Model model(String identifier);

    /** Every known model. */
    List<Model> models();

    /** Those that run on this machine. */
    List<Model> modelsLocal();

    /** Those that run elsewhere. */
    List<Model> modelsRemote();

    List<Model> modelsDownloadable();

    List<Model> modelsForChat();

    List<Model> modelsByVendor(ModelVendor vendor);

    List<Model> modelsByFamily(ModelFamily family);

    List<ModelVendor> modelVendors();

    List<ModelFamily> modelFamilies();

    List<ModelRegistry> modelRegistries();

    /**
     * Starts fetching the model, or joins the download that runs already; finished at once when nothing is to do. A
     * failure is thrown by the stream. Closing the stream leaves the download running; {@link Downloader#pause} stops
     * it.
     */
    DownloaderStream download(Model model);

    Downloader downloader(Model model);

    /** Null for a model that isn't downloadable. */
    @Nullable DownloadState downloadState(Model model);

    /** States of all downloadable models, by identifier. */
    Map<String, DownloadState> downloadStates();

    /** The file or folder the model is loaded from, or null when it isn't on this machine. */
    @Nullable Path modelPath(Model model);

    /**
     * A new conversation. Sessions with the same model and key/value type share the loaded weights.
     *
     * @throws UzuException.InvalidState when the model isn't downloaded
     * @throws UzuException.InvalidArgument when it has no chat template; {@link #complete} works without one
     * @throws UzuException.OutOfMemory when the model doesn't fit; both figures are in the details
     */
    ChatSession chat(Model model, ChatConfig config);

    default ChatSession chat(Model model) {
        return chat(model, ChatConfig.create());
    }

    /** Loads the weights once, for any number of sessions. */
    ChatInstance chatInstance(Model model, ChatConfig config);

    default ChatInstance chatInstance(Model model) {
        return chatInstance(model, ChatConfig.create());
    }

    /** A new conversation on loaded weights; sessions of one instance run at the same time. */
    ChatSession chatWithInstance(ChatInstance instance);

    /**
     * Continues {@code text} as it stands, without a chat template. The model starts with its BOS token when it was
     * made so. Special tokens written out in the text are read as such. The engine keeps the model that was used last
     * loaded.
     */
    Completion complete(Model model, String text, ChatReplyConfig config);

    default Completion complete(Model model, String text) {
        return complete(model, text, ChatReplyConfig.create());
    }

    CompletionStream completeWithStream(Model model, String text, ChatReplyConfig config);

    /** Tokens of {@code text}, special tokens written out in it counted as one, without BOS. */
    int countTokens(Model model, String text);

    ModelCapabilities capabilities(Model model);

    /** What happens in the engine from now on. */
    EngineEvents events();

    /**
     * Calls back for each event from now on, one after another on a virtual thread, until the stream that is returned, or
     * the engine, is closed. What the callback throws is the business of its thread's uncaught exception handler.
     */
    default EngineEvents registerCallback(Consumer<EngineEvent> callback) {
        EngineEvents events = events();
        Thread.ofVirtual().name("uzu-events").start(() -> {
            for (EngineEvent event : events) {
                try {
                    callback.accept(event);
                } catch (RuntimeException e) {
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                }
            }
        });
        return events;
    }

    /** Ends running replies with {@link UzuException.Closed}, and frees everything. Idempotent. */
    @Override
    void close();
}
