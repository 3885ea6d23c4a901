package uzu.generate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import uzu.ChatReplyFinishReason;
import uzu.ChatVerifier;
import uzu.TokenLogprob;
import uzu.UzuException;
import uzu.backend.Executable;
import uzu.backend.Logits;
import uzu.backend.Sequence;
import uzu.backend.Wanted;
import uzu.speculate.Company;
import uzu.speculate.Conditions;
import uzu.speculate.Constraint;
import uzu.speculate.Draft;
import uzu.speculate.DraftSession;
import uzu.tokenizer.TextStream;
import uzu.tokenizer.Tokenizer;

/**
 * A reply being made. A step computes what of the context's tokens isn't committed yet: a chunk of the prompt, or the
 * token drawn last. Below that one hangs a draft tree; the walk down the tree draws a token at each node and goes on
 * where a child carries it. The path walked is committed; its last draw is what the next step starts with.
 */
final class Generation {
    private final Context context;
    private final Request request;
    private final EndListener listener;
    private final Output output;
    private final Settings settings;
    private final Conditions conditions;
    /** What a draw needs of its row's logits. */
    private final Wanted wanted;

    private final int[] endTokens;
    private final TextStream text;
    private final StopStrings stops;

    /** What may follow the context's tokens. */
    private Constraint constraint;

    private final StringBuilder published = new StringBuilder();
    private int drawn;

    /** The rows of the current step: a chain from {@code firstRow} on. */
    private int firstRow;

    private int chain;

    /** What hangs below the chain's last row, whose node 0 it is: the row of each node. */
    private @Nullable Draft draft;

    private final int[] rowOf;

    /** Rows of the path walked. */
    private int[] path = new int[64];

    private int pathLength;

    /** One array for each short length, for most passes walk as far as some pass before. */
    private final int[][] paths = new int[16][];

    private @Nullable ChatReplyFinishReason reason;

    /** @param thread the instance's own */
    Generation(
            Context context,
            Request request,
            Tokenizer tokenizer,
            int[] endTokens,
            int vocabulary,
            EndListener listener,
            Thread thread) {
        this.context = context;
        this.request = request;
        this.listener = listener;
        this.output = new Output(request.started(), request.seed(), thread);
        this.settings = Settings.of(request.method());
        this.conditions =
                settings.conditions(request.seed(), request.speculation().verifier());
        this.wanted = settings.isGreedy()
                        && request.logprobs() == null
                        && request.constraint().isFree()
                ? Wanted.BEST
                : Wanted.LOGITS;
        this.endTokens = endTokens;
        this.text = tokenizer.stream(request.visible());
        this.stops = new StopStrings(request.stop());
        this.constraint = request.constraint().isFree() ? Constraint.below(vocabulary) : request.constraint();
        Arrays.setAll(paths, int[]::new);
        this.rowOf = new int[Math.max(1, request.speculation().maxNodes())];
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
    void start(Executable executable, Speculators speculators) {
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
            speculate(speculators, cached);
        }
    }

    private void speculate(Speculators speculators, int cached) {
        if (context.drafts == null && !request.speculation().isOff()) {
            context.drafts = speculators.session();
        }
        if (context.drafts != null) {
            context.drafts.truncate(cached);
            context.drafts.use(request.speculation(), this::isCancelled);
            context.drafts.reply(request.prompt().length);
        }
        if (!request.speculation().isOff()) {
            output.speculates();
        }
    }

    /** Tokens known but not committed. */
    int pending() {
        return context.tokens.size() - sequence().length();
    }

    /** What a pass over the pending token alone reads of the context, as {@link StepBatch#reads} has it. */
    double rootReads() {
        return 2.0 * sequence().length();
    }

    /**
     * Adds this step's rows, at most {@code rows} of them.
     *
     * @param company what else is in the pass
     */
    void collect(StepBatch batch, int rows, Company company) {
        Sequence sequence = sequence();
        int from = sequence.length();
        int pending = pending();
        draft = null;
        chain = Math.min(pending, rows);
        for (int i = 0; i < chain; i++) {
            int parent = i == 0 ? -1 : firstRow + i - 1;
            int row = batch.add(
                    sequence, context.tokens.get(from + i), parent, i == pending - 1 ? wanted : Wanted.NOTHING);
            if (i == 0) {
                firstRow = row;
            }
        }
        DraftSession drafts = context.drafts;
        if (pending == chain && drafts != null && !request.speculation().isOff()) {
            // Below a prompt's last row too: the pass that brings the first token may bring the next ones.
            Draft grown = drafts.draft(
                    context.tokens,
                    conditions,
                    constraint,
                    company.withPrompt(chain - 1),
                    Math.min(rows - chain + 1, remaining()));
            draft = grown;
            rowOf[0] = firstRow + chain - 1;
            addChildren(grown, 0, batch, sequence);
        }
    }

    /** Most tokens that are still to come. */
    private int remaining() {
        return Math.min(request.tokenLimit() - drawn, request.contextLength() - context.tokens.size());
    }

    /** Depth first, as a batch has its rows. */
    private void addChildren(Draft grown, int node, StepBatch batch, Sequence sequence) {
        for (int child = node + 1; child < grown.size(); child++) {
            if (grown.parent(child) == node) {
                rowOf[child] = batch.add(sequence, grown.token(child), rowOf[node], wanted);
                addChildren(grown, child, batch, sequence);
            }
        }
    }

    /**
     * Takes the results of a pass.
     *
     * @param passNanos what it took
     */
    void advance(StepBatch batch, Executable executable, Sampler sampler, Logprobs logprobs, long passNanos) {
        if (isCancelled()) {
            reason = ChatReplyFinishReason.CANCELLED;
            return;
        }
        pathLength = 0;
        for (int i = 0; i < chain; i++) {
            step(firstRow + i);
        }
        int last = firstRow + chain - 1;
        if (batch.wanted(last) != Wanted.NOTHING) {
            long begun = System.nanoTime();
            walk(last, executable, sampler, logprobs);
            long walkNanos = System.nanoTime() - begun;
            output.show();
            int accepted = pathLength - chain;
            Draft grown = draft;
            DraftSession drafts = context.drafts;
            if (grown != null && drafts != null) {
                drafts.walked(accepted);
                passed(grown.size() - 1, accepted, drafts.draftingNanos(), passNanos, walkNanos);
            } else {
                passed(0, 0, 0, passNanos, walkNanos);
            }
        }
        int committed = sequence().length();
        int[] rows = walked();
        sequence().commit(rows);
        DraftSession followers = context.drafts;
        if (followers != null) {
            followers.committed(context.tokens, committed, rows, executable);
            if (followers.followingNanos() > 0) {
                output.followed(followers.followingNanos());
            }
        }
    }

    private void passed(int drafted, int accepted, long draftNanos, long passNanos, long walkNanos) {
        // The pass over a prompt is no pass of decoding, whatever it ends with.
        if (chain == 1) {
            output.passed(drafted, accepted, draftNanos, passNanos, walkNanos);
        }
    }

    private void walk(int last, Executable executable, Sampler sampler, Logprobs logprobs) {
        int node = 0;
        int row = last;
        while (true) {
            int token = draw(sampler, logprobs, executable, row, node);
            if (draft == null || context.drafts == null) {
                return;
            }
            context.drafts.drawn(node, token);
            node = draft.child(node, token);
            if (isFinished() || node < 0) {
                return;
            }
            if (isCancelled()) {
                // What was shown stays, and what follows never was: as if it were cancelled between two passes.
                reason = ChatReplyFinishReason.CANCELLED;
                return;
            }
            row = rowOf[node];
            step(row);
        }
    }

    private void step(int row) {
        if (pathLength == path.length) {
            path = Arrays.copyOf(path, 2 * pathLength);
        }
        path[pathLength++] = row;
    }

    /** The path's rows, in an array that later passes write to. */
    private int[] walked() {
        if (pathLength >= paths.length) {
            return Arrays.copyOf(path, pathLength);
        }
        int[] rows = paths[pathLength];
        System.arraycopy(path, 0, rows, 0, pathLength);
        return rows;
    }

    private int draw(Sampler sampler, Logprobs logprobs, Executable executable, int row, int node) {
        if (wanted == Wanted.BEST) {
            int token = sampler.greedy(executable.best(row));
            take(token, null);
            return token;
        }
        Logits logits = executable.logits(row);
        Integer alternatives = request.logprobs();
        if (alternatives != null) {
            logprobs.read(logits, alternatives);
        }
        long seed = request.seed();
        int start = request.prompt().length;
        Draft judged = request.speculation().verifier() == ChatVerifier.REJECTION ? draft : null;
        int token = judged == null
                ? sampler.draw(settings, seed, context.tokens, start, constraint, logits)
                : sampler.judge(settings, seed, context.tokens, start, constraint, logits, judged, node);
        take(token, alternatives == null ? null : logprobs.of(token));
        return token;
    }

    private void take(int token, @Nullable TokenLogprob logprob) {
        context.tokens.add(token);
        drawn++;
        boolean end = isEnd(token);
        if (!end) {
            constraint = constraint.after(token);
        }
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
        try {
            settle();
            listener.failed(error);
        } finally {
            output.fail(error);
        }
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
