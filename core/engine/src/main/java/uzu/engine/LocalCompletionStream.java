package uzu.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uzu.CancelToken;
import uzu.Completion;
import uzu.CompletionChunk;
import uzu.CompletionStream;
import uzu.TokenLogprob;
import uzu.UzuException;
import uzu.generate.Output;

/** Folds the pieces of a completion into the text so far. */
final class LocalCompletionStream implements CompletionStream {
    private final Output output;
    private final CancelToken cancelToken;
    private final Runnable done;
    private final AtomicBoolean over = new AtomicBoolean();
    private final StringBuilder text = new StringBuilder();
    private final List<TokenLogprob> logprobs = new ArrayList<>();
    private volatile boolean closed;

    /** @param done called once, when it was read to its end or closed, on the thread that did so */
    LocalCompletionStream(Output output, CancelToken cancelToken, Runnable done) {
        this.output = output;
        this.cancelToken = cancelToken;
        this.done = done;
    }

    @Override
    public @Nullable CompletionChunk next() {
        return chunk(null);
    }

    @Override
    public @Nullable CompletionChunk next(Duration timeout) {
        return chunk(timeout);
    }

    /** The whole completion, without the chunks between; closes the stream. */
    Completion rest() {
        try (this) {
            Output.Piece piece = output.rest();
            if (piece == null) {
                throw new UzuException.InvalidState("the completion was read before");
            }
            return fold(piece);
        }
    }

    private @Nullable CompletionChunk chunk(@Nullable Duration timeout) {
        if (closed) {
            return null;
        }
        try {
            Output.Piece piece = output.next(timeout);
            return piece == null ? null : new CompletionChunk(fold(piece), piece.text());
        } finally {
            if (output.isReadToEnd()) {
                finish();
            }
        }
    }

    private Completion fold(Output.Piece piece) {
        text.append(piece.text());
        logprobs.addAll(piece.logprobs());
        return new Completion(text.toString(), piece.stats(), piece.reason(), logprobs);
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
    public void onGathered(BooleanSupplier isEnough, Runnable listener) {
        output.onGathered(isEnough, listener);
    }

    @Override
    public void close() {
        closed = true;
        cancelToken.cancel();
        output.awaitEnd();
        finish();
    }

    private void finish() {
        if (over.compareAndSet(false, true)) {
            done.run();
        }
    }
}
