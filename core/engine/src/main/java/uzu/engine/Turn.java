package uzu.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uzu.ChatContentBlock;
import uzu.ChatMessage;
import uzu.ChatReplyDelta;
import uzu.ChatReplyFinishReason;
import uzu.ChatRole;
import uzu.TokenLogprob;
import uzu.ToolDeclaration;
import uzu.chat.parse.MessageFormat;
import uzu.chat.parse.MessageParser;
import uzu.generate.Output;

/** One answer of the model within a reply: its text, read twice, as it comes and, for the history, whole. */
final class Turn implements StreamPart {
    private final MessageFormat format;
    private final String prompt;
    private final List<ToolDeclaration> tools;

    /** Keywords of the grammar that the answer may violate. */
    final List<String> unenforced;

    /** The reader's. */
    private final MessageParser parser;

    private final List<TokenLogprob> logprobs = new ArrayList<>();

    /** Guards {@link #shown}. */
    private final Object showing = new Object();

    private int shown;

    private @Nullable Output output;
    private volatile boolean callsTools;

    Turn(MessageFormat format, String prompt, List<ToolDeclaration> tools, List<String> unenforced) {
        this.format = format;
        this.prompt = prompt;
        this.tools = tools;
        this.unenforced = unenforced;
        this.parser = format.parser(prompt, tools);
    }

    /** Before anyone else knows of the turn. */
    void begin(Output output) {
        this.output = output;
    }

    /** Control tokens that say where calls and reasoning are. */
    Set<String> visible() {
        return format.visible(!tools.isEmpty());
    }

    Output output() {
        Output begun = output;
        if (begun == null) {
            throw new IllegalStateException("the turn has not begun");
        }
        return begun;
    }

    /** It ends with calls, be they answered or handed back; said before the reader can see the end. */
    void callsTools() {
        callsTools = true;
    }

    /** Characters that were handed out. */
    int shown() {
        synchronized (showing) {
            return shown;
        }
    }

    /** Counts the piece as handed out, unless {@code closed}. */
    boolean show(Output.Piece piece, BooleanSupplier closed) {
        synchronized (showing) {
            if (closed.getAsBoolean()) {
                return false;
            }
            shown += piece.text().length();
            return true;
        }
    }

    void read(Output.Piece piece) {
        logprobs.addAll(piece.logprobs());
        parser.accept(piece.text());
        if (piece.reason() != null) {
            parser.end();
        }
    }

    /** What was read so far. */
    ChatMessage message(@Nullable ChatReplyFinishReason reason) {
        return message(parser.blocks(), reason);
    }

    ChatReplyDelta takeDelta() {
        return parser.takeDelta();
    }

    List<TokenLogprob> logprobs() {
        return logprobs;
    }

    @Nullable ChatReplyFinishReason reason(@Nullable ChatReplyFinishReason generated) {
        return generated == ChatReplyFinishReason.STOP && callsTools ? ChatReplyFinishReason.TOOL_CALLS : generated;
    }

    /**
     * The message that {@code text} is.
     *
     * @param whole whether nothing more would have come: else what may have become something else isn't in it
     */
    ChatMessage parse(String text, boolean whole, ChatReplyFinishReason reason) {
        MessageParser again = format.parser(prompt, tools);
        again.accept(text);
        if (whole) {
            again.end();
        }
        return message(again.blocks(), reason);
    }

    /** A cancelled message has no calls: nobody answers them. One without calls always has a text, be it empty. */
    private static ChatMessage message(List<ChatContentBlock> blocks, @Nullable ChatReplyFinishReason reason) {
        List<ChatContentBlock> kept = new ArrayList<>(blocks);
        if (reason == ChatReplyFinishReason.CANCELLED) {
            kept.removeIf(Turn::isCall);
        }
        if (!saysSomething(kept)) {
            kept.add(new ChatContentBlock.Text(""));
        }
        return new ChatMessage(ChatRole.ASSISTANT, kept);
    }

    /** A loop: this runs for each chunk, with caches that the model's weights have emptied. */
    private static boolean saysSomething(List<ChatContentBlock> blocks) {
        for (ChatContentBlock block : blocks) {
            if (isCall(block) || block instanceof ChatContentBlock.Text) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCall(ChatContentBlock block) {
        return block instanceof ChatContentBlock.ToolCall || block instanceof ChatContentBlock.ToolCallCandidate;
    }

    static boolean hasCalls(ChatMessage message) {
        return message.content().stream().anyMatch(Turn::isCall);
    }

    /** The message without its calls, which won't be answered. */
    static ChatMessage withoutCalls(ChatMessage message) {
        return message(message.content(), ChatReplyFinishReason.CANCELLED);
    }
}
