package uzu.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.ChatConfig;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.ChatSessionState;
import uzu.ChatSessionStream;
import uzu.ToolFunction;
import uzu.ToolSupport;
import uzu.UzuException;
import uzu.chat.SavedConversation;
import uzu.chat.Toolbox;
import uzu.generate.Context;
import uzu.generate.EndListener;
import uzu.generate.Instance;
import uzu.speculate.Constraint;
import uzu.speculate.Speculation;

/** A conversation on a loaded model. */
final class LocalChatSession implements ChatSession {
    private final LoadedModel loaded;
    private final ChatConfig config;
    private final int contextLength;
    private final Prompts prompts;
    private final Context context;
    private final Speculation speculation;
    private final SessionOwner owner;

    /** Guards what follows; never held while waiting. */
    private final Object lock = new Object();

    private List<ChatMessage> messages = List.of();
    private Toolbox tools = Toolbox.EMPTY;
    private ChatSessionState state = ChatSessionState.IDLE;
    private @Nullable LocalReply running;
    private boolean closed;

    LocalChatSession(LoadedModel loaded, ChatConfig config) {
        this(loaded, config, SessionOwner.NONE);
    }

    /** Takes over one use of {@code loaded}. */
    LocalChatSession(LoadedModel loaded, ChatConfig config, SessionOwner owner) {
        this(loaded, config, owner, loaded.instance().newContext());
    }

    private LocalChatSession(LoadedModel loaded, ChatConfig config, SessionOwner owner, Context context) {
        this.loaded = loaded;
        this.config = config;
        this.contextLength = ContextLengths.resolve(config.contextLength(), loaded.contextLength());
        this.prompts = loaded.files().prompts().inFormat(config.messageFormat());
        this.speculation = loaded.drafters().speculation(config.speculationPreset());
        if (!speculation.isOff()) {
            loaded.instance().expectSpeculation();
        }
        this.context = context;
        this.owner = owner;
    }

    @Override
    public ChatSessionState state() {
        synchronized (lock) {
            return state;
        }
    }

    @Override
    public List<ChatMessage> messages() {
        synchronized (lock) {
            return messages;
        }
    }

    @Override
    public int contextLength() {
        return contextLength;
    }

    @Override
    public List<ChatReply> reply(List<ChatMessage> input, ChatReplyConfig replyConfig) {
        LocalChatStream stream = start(input, replyConfig);
        try {
            return List.of(stream.rest());
        } catch (UzuException.Cancelled e) {
            stream.close();
            throw e;
        }
    }

    @Override
    public ChatSessionStream replyWithStream(List<ChatMessage> input, ChatReplyConfig replyConfig) {
        return start(input, replyConfig);
    }

    private LocalChatStream start(List<ChatMessage> input, ChatReplyConfig replyConfig) {
        long started = System.nanoTime();
        List<ChatMessage> conversation = enter(input);
        try {
            // The same seed for all turns: it repeats the whole reply.
            ChatReplyConfig seeded = replyConfig.withSeed(Requests.seed(replyConfig.seed(), config.samplingSeed()));
            LocalReply reply = new LocalReply(this, conversation, toolbox(), seeded);
            reply.turn(started);
            return reply.stream();
        } catch (Throwable e) {
            leave();
            throw e;
        }
    }

    /** A turn of a reply, which can't end before the stream knows it. */
    void generate(
            LocalReply reply, Turn turn, int[] prompt, Constraint constraint, EndListener listener, long started) {
        synchronized (lock) {
            checkOpen();
            turn.begin(loaded.instance()
                    .generate(
                            context,
                            Requests.of(
                                    prompt,
                                    turn.visible(),
                                    reply.config(),
                                    config.samplingSeed(),
                                    loaded.files().recommended(),
                                    contextLength,
                                    speculation,
                                    constraint,
                                    reply.cancelToken(),
                                    started),
                            listener));
            running = reply;
            state = ChatSessionState.GENERATION;
            reply.stream().put(turn);
        }
    }

    /** What turns under {@code replyConfig} may say. */
    TurnGrammar grammar(ChatReplyConfig replyConfig) {
        return new TurnGrammar(
                loaded.files().tokenizer(),
                loaded.grammars(),
                prompts.format(),
                loaded.instance().endTokens(),
                replyConfig);
    }

    Prompts prompts() {
        return prompts;
    }

    Instance instance() {
        return loaded.instance();
    }

    /** Runs {@code change} while nobody else changes the session. */
    void locked(Runnable change) {
        synchronized (lock) {
            change.run();
        }
    }

    void enter(ChatSessionState next) {
        synchronized (lock) {
            state = next;
        }
    }

    private List<ChatMessage> enter(List<ChatMessage> input) {
        synchronized (lock) {
            checkIdle();
            List<ChatMessage> conversation = new ArrayList<>(messages);
            conversation.addAll(input);
            if (conversation.isEmpty()) {
                throw new UzuException.InvalidArgument("there is no message to reply to", Map.of("field", "input"));
            }
            List<ChatMessage> copy = List.copyOf(conversation);
            state = ChatSessionState.GENERATION;
            return copy;
        }
    }

    /** A reply that was cancelled ends within a forward pass, and whoever comes meanwhile waits for that. */
    private void checkIdle() {
        checkOpen();
        while (!closed && running != null && running.cancelToken().isCancelled()) {
            loaded.instance().refuseOwnThread();
            try {
                lock.wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UzuException.Cancelled("interrupted while a cancelled reply ends");
            }
        }
        checkOpen();
        if (state != ChatSessionState.IDLE) {
            throw new UzuException.InvalidState("the session is still making a reply");
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new UzuException.Closed("the session is closed");
        }
    }

    /** The reply has ended, and the conversation is now this one. */
    void leave(List<ChatMessage> conversation) {
        synchronized (lock) {
            messages = List.copyOf(conversation);
            leave();
        }
    }

    /** The reply has failed: the conversation is as it was before. */
    void leave() {
        synchronized (lock) {
            state = ChatSessionState.IDLE;
            running = null;
            lock.notifyAll();
        }
    }

    @Override
    public boolean supportsToolCalls() {
        return prompts().toolSupport() != ToolSupport.NONE;
    }

    @Override
    public void addTool(ToolFunction tool) {
        synchronized (lock) {
            checkOpen();
            tools = tools.with(tool);
        }
    }

    private Toolbox toolbox() {
        synchronized (lock) {
            return tools;
        }
    }

    @Override
    public void setMessages(List<ChatMessage> conversation) {
        synchronized (lock) {
            checkIdle();
            messages = List.copyOf(conversation);
        }
    }

    @Override
    public ChatSession fork() {
        synchronized (lock) {
            checkIdle();
            if (!loaded.acquire()) {
                throw new UzuException.Closed("the model is closed");
            }
            LocalChatSession fork;
            try {
                fork = new LocalChatSession(
                        loaded, config, owner, loaded.instance().fork(context));
            } catch (Throwable e) {
                loaded.release();
                throw e;
            }
            fork.messages = messages;
            fork.tools = tools;
            try {
                owner.opened(fork);
            } catch (UzuException.Closed e) {
                fork.close();
                throw e;
            }
            return fork;
        }
    }

    @Override
    public void save(Path path) {
        List<ChatMessage> conversation;
        synchronized (lock) {
            checkIdle();
            conversation = messages;
        }
        SavedConversation.write(path, conversation);
    }

    @Override
    public void restore(Path path) {
        synchronized (lock) {
            checkIdle();
        }
        setMessages(SavedConversation.read(path));
    }

    @Override
    public void reset() {
        synchronized (lock) {
            checkIdle();
            messages = List.of();
        }
    }

    @Override
    public void close() {
        loaded.instance().refuseOwnThread();
        LocalReply open;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            lock.notifyAll();
            open = running;
        }
        if (open != null) {
            open.stream().close();
        }
        loaded.instance().release(context);
        loaded.release();
        owner.closed(this);
    }

    /** Closes it because its instance is closed: a running reply ends with {@link UzuException.Closed}. */
    void closeWithInstance() {
        LocalReply calling;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            lock.notifyAll();
            calling = state == ChatSessionState.TOOL_CALLING ? running : null;
        }
        if (calling != null) {
            calling.abort(new UzuException.Closed("the model was closed"));
        }
        loaded.instance().end(context);
        loaded.release();
    }
}
