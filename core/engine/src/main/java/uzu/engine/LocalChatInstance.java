package uzu.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import uzu.ChatConfig;
import uzu.ChatInstance;
import uzu.Model;
import uzu.UzuException;

/** A use of a loaded model that sessions are made from. */
final class LocalChatInstance implements ChatInstance, SessionOwner {
    private final Model model;
    private final ChatConfig config;
    private final LoadedModel loaded;
    private final int contextLength;
    private final Set<LocalChatSession> sessions = new HashSet<>();
    private boolean closed;

    /** Takes over one use of {@code loaded}. */
    LocalChatInstance(Model model, ChatConfig config, LoadedModel loaded) {
        this.model = model;
        this.config = config;
        this.loaded = loaded;
        loaded.files().prompts().inFormat(config.messageFormat());
        this.contextLength = ContextLengths.resolve(config.contextLength(), loaded.contextLength());
    }

    synchronized LocalChatSession newSession() {
        if (closed || !loaded.acquire()) {
            throw new UzuException.Closed("the instance is closed");
        }
        try {
            LocalChatSession session = new LocalChatSession(loaded, config, this);
            sessions.add(session);
            return session;
        } catch (Throwable e) {
            loaded.release();
            throw e;
        }
    }

    @Override
    public synchronized void opened(LocalChatSession session) {
        if (closed) {
            throw new UzuException.Closed("the instance is closed");
        }
        sessions.add(session);
    }

    @Override
    public synchronized void closed(LocalChatSession session) {
        sessions.remove(session);
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
        loaded.instance().refuseOwnThread();
        List<LocalChatSession> open;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(sessions);
            sessions.clear();
        }
        open.forEach(LocalChatSession::closeWithInstance);
        loaded.release();
    }
}
