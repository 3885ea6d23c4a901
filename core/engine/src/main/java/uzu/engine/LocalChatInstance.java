package uzu.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import uzu.ChatConfig;
import uzu.ChatInstance;
import uzu.Model;
import uzu.UzuException;

/** A use of a loaded model that sessions are made from. */
final class LocalChatInstance implements ChatInstance {
    private final Model model;
    private final ChatConfig config;
    private final LoadedModel loaded;
    private final int contextLength;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Takes over one use of {@code loaded}. */
    LocalChatInstance(Model model, ChatConfig config, LoadedModel loaded) {
        this.model = model;
        this.config = config;
        this.loaded = loaded;
        this.contextLength = ContextLengths.resolve(config.contextLength(), loaded.contextLength());
    }

    LocalChatSession newSession() {
        if (closed.get() || !loaded.acquire()) {
            throw new UzuException.Closed("the instance is closed");
        }
        return new LocalChatSession(loaded, config);
    }

    @Override
    public Model model() {
        return model;
    }

    @Override
    public ChatConfig config() {
        return config;
    }

    @Override
    public int contextLength() {
        return contextLength;
    }

    @Override
    public long memoryUsedBytes() {
        return loaded.instance().memoryBytes();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            loaded.release();
        }
    }
}
