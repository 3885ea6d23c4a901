package uzu.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.CancelToken;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyDelta;
import uzu.ChatSessionStream;
import uzu.ChatSessionStreamChunk;
import uzu.TokenLogprob;
import uzu.UzuException;
import uzu.generate.Output;

/** Folds the pieces of a reply into the message so far. */
final class LocalChatStream implements ChatSessionStream {
    private final Output output;
    private final CancelToken cancelToken;
    private final StringBuilder text = new StringBuilder();
    private final List<TokenLogprob> logprobs = new ArrayList<>();
    private volatile boolean closed;

    LocalChatStream(Output output, CancelToken cancelToken) {
        this.output = output;
        this.cancelToken = cancelToken;
    }

    @Override
    public @Nullable ChatSessionStreamChunk next() {
        return chunk(null);
    }

    @Override
    public @Nullable ChatSessionStreamChunk next(Duration timeout) {
        return chunk(timeout);
    }

    /** The finished reply, without the chunks between. */
    ChatReply rest() {
        Output.Piece piece = output.rest();
        if (piece == null) {
            throw new UzuException.InvalidState("the reply was read before");
        }
        ChatReply reply = fold(piece);
        if (reply == null) {
            throw new UzuException.Closed("the stream was closed");
        }
        return reply;
    }

    private @Nullable ChatSessionStreamChunk chunk(@Nullable Duration timeout) {
        if (closed) {
            return null;
        }
        Output.Piece piece;
        try {
            piece = output.next(timeout);
        } catch (UzuException e) {
            if (output.isReadToEnd()) {
                return new ChatSessionStreamChunk.Error(e);
            }
            throw e;
        }
        if (piece == null) {
            return null;
        }
        ChatReply reply = fold(piece);
        return reply == null
                ? null
                : new ChatSessionStreamChunk.Replies(List.of(reply), new ChatReplyDelta(piece.text(), "", List.of()));
    }

    /** Null when the stream was closed meanwhile: then the piece doesn't count as shown. */
    private @Nullable ChatReply fold(Output.Piece piece) {
        logprobs.addAll(piece.logprobs());
        String whole;
        synchronized (text) {
            if (closed) {
                return null;
            }
            whole = text.append(piece.text()).toString();
        }
        return new ChatReply(
                ChatMessage.assistant().withText(whole), piece.stats(), piece.reason(), List.of(), logprobs);
    }

    /** Characters handed out. */
    int shown() {
        synchronized (text) {
            return text.length();
        }
    }

    /** Whether it was closed before the reply's end. */
    boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isFinished() {
        return closed || output.isReadToEnd();
    }

    @Override
    public CancelToken cancelToken() {
        return cancelToken;
    }

    @Override
    public void onReady(Runnable listener) {
        output.onReady(listener);
    }

    @Override
    public void close() {
        synchronized (text) {
            closed = true;
        }
        cancelToken.cancel();
        output.awaitEnd();
    }
}
