package uzu.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import uzu.CancelToken;
import uzu.ChatConfig;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatReplyFinishReason;
import uzu.ChatSession;
import uzu.ChatSessionState;
import uzu.ChatSessionStream;
import uzu.ToolDeclaration;
import uzu.ToolFunction;
import uzu.ToolSupport;
import uzu.UzuException;
import uzu.chat.Toolbox;
import uzu.generate.Context;
import uzu.generate.EndListener;
import uzu.generate.Output;
import uzu.speculate.Speculation;

/** A conversation on a loaded model. */
final class LocalChatSession implements ChatSession {
    private final LoadedModel loaded;
    private final ChatConfig config;
    private final int contextLength;
    private final Context context;
    private final Speculation speculation;
    private final Consumer<LocalChatSession> whenClosed;

    /** Guards what follows; never held while waiting. */
    private final Object lock = new Object();

    private List<ChatMessage> messages = List.of();
    private Toolbox tools = Toolbox.EMPTY;
    private ChatSessionState state = ChatSessionState.IDLE;
    private @Nullable LocalChatStream running;
    private boolean closed;

    LocalChatSession(LoadedModel loaded, ChatConfig config) {
        this(loaded, config, session -> {});
    }

    /** Takes over one use of {@code loaded}. */
    LocalChatSession(LoadedModel loaded, ChatConfig config, Consumer<LocalChatSession> whenClosed) {
        this.loaded = loaded;
        this.config = config;
        this.contextLength = ContextLengths.resolve(config.contextLength(), loaded.contextLength());
        this.speculation = loaded.drafters().speculation(config.speculationPreset());
        if (!speculation.isOff()) {
            loaded.instance().expectSpeculation();
        }
        this.context = loaded.instance().newContext();
        this.whenClosed = whenClosed;
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
            List<ToolDeclaration> shown = toolbox().shown(conversation, replyConfig.toolChoice());
            int[] prompt =
                    loaded.files().prompts().ofMessages(conversation, shown).tokens();
            CancelToken cancelToken = CancelToken.create();
            Reply reply = new Reply(conversation);
            // Held, so that the reply can't end before its stream is known.
            synchronized (lock) {
                checkOpen();
                Output output = loaded.instance()
                        .generate(
                                context,
                                Requests.of(
                                        prompt,
                                        replyConfig,
                                        config.samplingSeed(),
                                        loaded.files().recommended(),
                                        contextLength,
                                        speculation,
                                        cancelToken,
                                        started),
                                reply);
                running = new LocalChatStream(output, cancelToken);
                return running;
            }
        } catch (Throwable e) {
            leave(messages());
            throw e;
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

    private void checkIdle() {
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

    private void leave(List<ChatMessage> conversation) {
        synchronized (lock) {
            messages = conversation;
            state = ChatSessionState.IDLE;
            running = null;
        }
    }

    @Override
    public boolean supportsToolCalls() {
        return loaded.files().prompts().toolSupport() != ToolSupport.NONE;
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
    public void reset() {
        synchronized (lock) {
            checkIdle();
            messages = List.of();
        }
    }

    @Override
    public void close() {
        loaded.instance().refuseOwnThread();
        LocalChatStream open;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            open = running;
        }
        if (open != null) {
            open.close();
        }
        loaded.instance().release(context);
        loaded.release();
        whenClosed.accept(this);
    }

    /** Closes it because its instance is closed: a running reply ends with {@link UzuException.Closed}. */
    void closeWithInstance() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
        }
        loaded.instance().end(context);
        loaded.release();
    }

    /** Puts the reply into the history, before its reader sees the end. */
    private final class Reply implements EndListener {
        private final List<ChatMessage> conversation;

        Reply(List<ChatMessage> conversation) {
            this.conversation = conversation;
        }

        @Override
        public void finished(String text, ChatReplyFinishReason reason) {
            synchronized (lock) {
                String kept = text;
                if (reason == ChatReplyFinishReason.CANCELLED && running != null && running.isClosed()) {
                    kept = text.substring(0, running.shown());
                }
                List<ChatMessage> more = new ArrayList<>(conversation);
                more.add(ChatMessage.assistant().withText(kept));
                leave(List.copyOf(more));
            }
        }

        @Override
        public void failed(UzuException error) {
            leave(messages());
        }
    }
}
