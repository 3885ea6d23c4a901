package uzu.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.CancelToken;
import uzu.ChatContentBlock;
import uzu.ChatContentBlock.ToolCall;
import uzu.ChatContentBlock.ToolCallResult;
import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.ChatReplyFinishReason;
import uzu.ChatSessionState;
import uzu.ToolChoice;
import uzu.ToolDeclaration;
import uzu.UzuException;
import uzu.chat.ToolCalls;
import uzu.chat.Toolbox;
import uzu.generate.EndListener;
import uzu.speculate.Constraint;

/**
 * A reply being made: turn after turn of the model, and between two the tools that it calls. The first turn begins on
 * the caller's thread, a turn's end is told on the instance's, which runs no tools, and what follows calls is on a
 * virtual thread.
 */
final class LocalReply {
    private final LocalChatSession session;
    private final ChatReplyConfig config;
    private final Toolbox tools;
    private final CancelToken cancelToken = CancelToken.create();
    private final LocalChatStream stream;

    /** The history when it succeeds; of one thread at a time. */
    private final List<ChatMessage> conversation;

    private int answered;

    /** Where the last turn's calls stand in the history. */
    private int lastCalls;

    /** Calls with their results, without identifiers. */
    private final Set<String> answers = new HashSet<>();

    private TurnGrammar.After after = TurnGrammar.After.INPUT;

    private volatile @Nullable UzuException aborted;

    LocalReply(LocalChatSession session, List<ChatMessage> conversation, Toolbox tools, ChatReplyConfig config) {
        this.session = session;
        this.conversation = new ArrayList<>(conversation);
        this.tools = tools;
        this.config = config;
        this.stream = new LocalChatStream(cancelToken, session.instance());
    }

    LocalChatStream stream() {
        return stream;
    }

    CancelToken cancelToken() {
        return cancelToken;
    }

    ChatReplyConfig config() {
        return config;
    }

    /** Ends it with {@code error} if tools run now. */
    void abort(UzuException error) {
        aborted = error;
        cancelToken.cancel();
    }

    /**
     * A turn of the model.
     *
     * @param started {@link System#nanoTime} of the turn
     */
    void turn(long started) {
        ToolChoice choice = choice();
        List<ToolDeclaration> shown = tools.shown(conversation, choice);
        Prompts prompts = session.prompts();
        // What a model has repeated it repeats again, be it only in words.
        Prompts.Prompt prompt = prompts.ofMessages(
                after == TurnGrammar.After.REPEATS ? conversation.subList(0, lastCalls) : conversation, shown);
        TurnGrammar grammar = session.grammar(config);
        int left = Requests.tokensLeft(prompt.tokens(), config, session.contextLength());
        Constraint constraint = grammar.constraint(prompt.text(), shown, choice, after, left);
        Turn turn = new Turn(prompts.format(), prompt.text(), shown, grammar.unenforced());
        session.generate(this, turn, prompt.tokens(), constraint, new End(turn), started);
        stream.wake();
    }

    private ToolChoice choice() {
        // A small model that is told of tools speaks of them, or goes on calling them, instead of answering.
        if (after == TurnGrammar.After.REPEATS) {
            return new ToolChoice.None();
        }
        // What was asked for has been called: from there on the model may come to its answer.
        return after == TurnGrammar.After.INPUT || config.toolChoice() instanceof ToolChoice.None
                ? config.toolChoice()
                : new ToolChoice.Auto();
    }

    /** Told of a turn's end, before its reader can see it. */
    private final class End implements EndListener {
        private final Turn turn;

        End(Turn turn) {
            this.turn = turn;
        }

        @Override
        public void finished(String text, ChatReplyFinishReason reason) {
            session.locked(() -> {
                try {
                    end(text, reason);
                } catch (RuntimeException | Error e) {
                    // Thrown on, it would end the thread that serves everybody.
                    fail(new UzuException.Internal("a reply could not be read: " + e, Map.of(), e));
                }
            });
        }

        private void end(String text, ChatReplyFinishReason reason) {
            boolean cut = reason == ChatReplyFinishReason.CANCELLED && stream.isClosed();
            ChatMessage message = turn.parse(cut ? text.substring(0, turn.shown()) : text, !cut, reason);
            boolean calls = reason == ChatReplyFinishReason.STOP && Turn.hasCalls(message);
            if (calls) {
                turn.callsTools();
            }
            if (!calls || !isAnswerable(message)) {
                conversation.add(message);
                session.leave(conversation);
                stream.complete();
            } else if (answered == config.toolTurnLimit()) {
                fail(new UzuException.ToolTurnLimit(
                        "the model still calls tools after " + answered + " turns of answers",
                        Map.of("field", "toolTurnLimit", "value", Integer.toString(answered))));
            } else {
                session.enter(ChatSessionState.TOOL_CALLING);
                Thread.ofVirtual().name("uzu-tools").start(() -> answer(message));
            }
        }

        @Override
        public void failed(UzuException error) {
            session.leave();
            stream.complete();
        }
    }

    private boolean isAnswerable(ChatMessage message) {
        return message.content().stream().noneMatch(ChatContentBlock.ToolCallCandidate.class::isInstance)
                && message.toolCalls().stream().map(ToolCall::name).allMatch(name -> tools.get(name) != null);
    }

    private void answer(ChatMessage message) {
        try {
            List<ToolCallResult> results = ToolCalls.answer(message.toolCalls(), tools, cancelToken);
            if (results == null) {
                cancelled(Turn.withoutCalls(message));
                return;
            }
            lastCalls = conversation.size();
            conversation.add(message);
            results.forEach(result -> conversation.add(ChatMessage.tool().withBlock(result)));
            answered++;
            // Small models would ask for ever.
            after = answers.addAll(answers(message, results)) ? TurnGrammar.After.RESULTS : TurnGrammar.After.REPEATS;
            stream.put(new StreamPart.Results(results));
            stream.wake();
            turn(System.nanoTime());
        } catch (UzuException e) {
            fail(e);
        } catch (RuntimeException | Error e) {
            fail(new UzuException.Internal("a reply could not go on after its tools: " + e, Map.of(), e));
        }
        stream.wake();
    }

    private static List<String> answers(ChatMessage message, List<ToolCallResult> results) {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            ToolCall call = message.toolCalls().get(i);
            answers.add(call.name()
                    + call.arguments().replaceAll("\\s", "")
                    + results.get(i).value());
        }
        return answers;
    }

    private void cancelled(ChatMessage message) {
        UzuException error = aborted;
        if (error != null) {
            fail(error);
        } else {
            conversation.add(message);
            session.leave(conversation);
            stream.put(new StreamPart.Cancelled(message));
            stream.complete();
        }
        stream.wake();
    }

    private void fail(UzuException error) {
        session.leave();
        stream.put(new StreamPart.Failed(error));
        stream.complete();
    }
}
