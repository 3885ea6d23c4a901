package uzu.generate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import uzu.ChatReplyFinishReason;
import uzu.TokenLogprob;
import uzu.UzuException;
import uzu.backend.Executable;
import uzu.backend.Logits;
import uzu.backend.Sequence;
import uzu.tokenizer.TextStream;
import uzu.tokenizer.Tokenizer;

/**
 * A reply being made. A step computes what of the context's tokens isn't committed yet: a chunk of the prompt, or the
 * token drawn last. Below the last one a draft tree may hang; the walk down the tree draws a token at each node and
 * goes on where a child carries it. The path walked is committed; its last draw is what the next step starts with.
 */
final class Generation {
    private final Context context;
    private final Request request;
    private final EndListener listener;
    private final Output output;
    private final Settings settings;
    private final int[] endTokens;
    private final TextStream text;
    private final StopStrings stops;
    private final StringBuilder published = new StringBuilder();
    private int drawn;

    /** The rows of the current step: a chain from {@code firstRow} on. */
    private int firstRow;

    private int chain;

    private @Nullable ChatReplyFinishReason reason;

    /** @param thread the instance's own */
    Generation(
            Context context,
            Request request,
            Tokenizer tokenizer,
            int[] endTokens,
            EndListener listener,
            Thread thread) {
        this.context = context;
        this.request = request;
        this.listener = listener;
        this.output = new Output(request.started(), request.seed(), thread);
        this.settings = Settings.of(request.method());
        this.endTokens = endTokens;
        this.text = tokenizer.stream();
        this.stops = new StopStrings(request.stop());
    }

    Context context() {
        return context;
    }

    Output output() {
        return output;
    }

    boolean isCancelled() {
        return request.cancelToken().isCancelled();
    }

    boolean isFinished() {
        return reason != null;
    }

    /** Keeps what the context has in common with the prompt; the prompt's last token is always computed anew. */
    void start(Executable executable) {
        int[] prompt = request.prompt();
        Tokens tokens = context.tokens;
        int cached = Math.min(tokens.commonPrefix(prompt), prompt.length - 1);
        output.prompt(prompt.length, cached);
        if (isCancelled()) {
            reason = ChatReplyFinishReason.CANCELLED;
        } else if (request.tokenLimit() == 0) {
            reason = ChatReplyFinishReason.LENGTH;
        } else if (prompt.length >= request.contextLength()) {
            reason = ChatReplyFinishReason.CONTEXT_LIMIT_REACHED;
        } else {
            if (context.sequence == null) {
                context.sequence = executable.newSequence();
            }
            context.sequence.truncate(cached);
            tokens.truncate(cached);
            for (int i = cached; i < prompt.length; i++) {
                tokens.add(prompt[i]);
            }
        }
    }

    /** Tokens known but not committed. */
    int pending() {
        return context.tokens.size() - sequence().length();
    }

    /** Adds this step's rows, at most {@code rows} of them. */
    void collect(StepBatch batch, int rows) {
        Sequence sequence = sequence();
        int from = sequence.length();
        int pending = pending();
        chain = Math.min(pending, rows);
        for (int i = 0; i < chain; i++) {
            int row =
                    batch.add(sequence, context.tokens.get(from + i), i == 0 ? -1 : firstRow + i - 1, i == pending - 1);
            if (i == 0) {
                firstRow = row;
            }
        }
    }

    /** Takes the results of a pass. */
    void advance(StepBatch batch, Executable executable, Sampler sampler, Logprobs logprobs) {
        if (isCancelled()) {
            reason = ChatReplyFinishReason.CANCELLED;
            return;
        }
        int last = firstRow + chain - 1;
        int[] path = new int[chain];
        for (int i = 0; i < chain; i++) {
            path[i] = firstRow + i;
        }
        if (batch.wantsLogits(last)) {
            path = walk(path, last, batch, executable, sampler, logprobs);
        }
        sequence().commit(path);
    }

    private int[] walk(
            int[] chainRows, int last, StepBatch batch, Executable executable, Sampler sampler, Logprobs logprobs) {
        int[] path = chainRows;
        int row = last;
        while (true) {
            int token = draw(sampler, logprobs, executable.logits(row));
            if (isFinished()) {
                return path;
            }
            row = batch.child(row, token);
            if (row < 0) {
                return path;
            }
            path = Arrays.copyOf(path, path.length + 1);
            path[path.length - 1] = row;
        }
    }

    private int draw(Sampler sampler, Logprobs logprobs, Logits logits) {
        Integer alternatives = request.logprobs();
        if (alternatives != null) {
            logprobs.read(logits, alternatives);
        }
        int token = sampler.draw(settings, request.seed(), context.tokens, request.prompt().length, logits);
        take(token, alternatives == null ? null : logprobs.of(token));
        return token;
    }

    private void take(int token, @Nullable TokenLogprob logprob) {
        context.tokens.add(token);
        drawn++;
        boolean end = isEnd(token);
        String shown = end ? "" : stops.next(text.next(token));
        published.append(shown);
        output.token(shown, logprob);
        if (end || stops.found()) {
            reason = ChatReplyFinishReason.STOP;
        } else if (drawn >= request.tokenLimit()) {
            reason = ChatReplyFinishReason.LENGTH;
        } else if (context.tokens.size() >= request.contextLength()) {
            reason = ChatReplyFinishReason.CONTEXT_LIMIT_REACHED;
        }
    }

    private boolean isEnd(int token) {
        for (int end : endTokens) {
            if (token == end) {
                return true;
            }
        }
        return false;
    }

    void cancel() {
        reason = ChatReplyFinishReason.CANCELLED;
    }

    /** Publishes the end; the context is the next reply's from then on. */
    void publish(long memoryBytes) {
        ChatReplyFinishReason why = reason;
        if (why == null) {
            throw new IllegalStateException("not finished");
        }
        String rest = "";
        if (!stops.found()) {
            rest = stops.next(text.flush());
            rest += stops.flush();
        }
        published.append(rest);
        settle();
        listener.finished(published.toString(), why);
        output.finish(rest, why, memoryBytes);
    }

    void fail(UzuException error) {
        settle();
        listener.failed(error);
        output.fail(error);
    }

    /** Only committed tokens stay. */
    private void settle() {
        context.tokens.truncate(context.sequence == null ? 0 : context.sequence.length());
    }

    private Sequence sequence() {
        Sequence sequence = context.sequence;
        if (sequence == null) {
            throw new IllegalStateException("not started");
        }
        return sequence;
    }
}
