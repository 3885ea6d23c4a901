package uzu.generate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Executable;
import uzu.backend.Sequence;
import uzu.speculate.Company;
import uzu.speculate.DraftSession;
import uzu.speculate.PassCostStore;
import uzu.tokenizer.Tokenizer;

/**
 * A loaded model's own thread, which drives all replies made on it: each step it collects rows of every reply, makes
 * one pass, and hands the results back. It sleeps while there is nothing to do. All public methods may be called from
 * any thread. The executable is used by this thread alone, and is still the caller's to close, after the instance.
 */
public final class Instance implements AutoCloseable {
    /** Most prompt rows in a pass that others wait for with a row each, so that their text keeps flowing. */
    private static final int SHARED_PROMPT_ROWS = 64;

    /** A machine that had nothing to do for so long is idle. */
    private static final long IDLE_MILLIS = 50;

    private static final String PASS_FAILED = "a forward pass failed";

    private final Executable executable;
    private final Tokenizer tokenizer;
    private final int[] endTokens;
    private final LongSupplier clock;
    private final Sampler sampler;
    private final Logprobs logprobs;
    private final StepBatch batch;
    private final Speculators speculators;
    private final LinkedBlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
    private final List<Generation> active = new ArrayList<>();
    private final List<Generation> stepping = new ArrayList<>();
    private final BooleanSupplier abandoned = this::isAbandoned;
    private final Runnable pass = this::pass;
    private final Runnable collection = this::collect;
    private final BooleanSupplier waited = () -> !inbox.isEmpty();

    /** Whether the executable may be made faster yet. */
    private boolean improves = true;

    /** Of the reply that ended last. */
    private @Nullable Context lastContext;

    private final Thread thread;
    private volatile boolean closed;

    /** What closed it, if nobody did. */
    private volatile @Nullable UzuException failure;

    private volatile long memoryBytes;

    /**
     * @param vocabulary columns of the logits; ids from the tokenizer's size on are never drawn
     * @param endTokens tokens that end a reply
     */
    public Instance(Executable executable, Tokenizer tokenizer, int vocabulary, int[] endTokens) {
        this(executable, tokenizer, vocabulary, endTokens, PassCostStore.NONE);
    }

    /** @param costs where it is kept what passes cost */
    public Instance(Executable executable, Tokenizer tokenizer, int vocabulary, int[] endTokens, PassCostStore costs) {
        this(executable, tokenizer, vocabulary, endTokens, costs, System::nanoTime);
    }

    /** @param clock nanoseconds, for what passes and drafts cost */
    Instance(
            Executable executable,
            Tokenizer tokenizer,
            int vocabulary,
            int[] endTokens,
            PassCostStore costs,
            LongSupplier clock) {
        this.executable = executable;
        this.tokenizer = tokenizer;
        this.endTokens = endTokens.clone();
        this.clock = clock;
        this.sampler = new Sampler(Math.min(vocabulary, tokenizer.size()));
        this.logprobs = new Logprobs(tokenizer, sampler.size());
        this.batch = new StepBatch(executable.maxRows(), sampler.size());
        this.speculators = new Speculators(executable, this.endTokens, costs, clock);
        this.memoryBytes = executable.memoryBytes();
        this.thread = Thread.ofPlatform().daemon().name("uzu-instance").start(this::loop);
    }

    /** The tokens that end a reply. */
    public int[] endTokens() {
        return endTokens.clone();
    }

    /** The context of a new conversation; it costs nothing until it is used. */
    public Context newContext() {
        return new Context();
    }

    /**
     * The context of a conversation that begins as another's: what was computed for that is shared, or computed anew where
     * that fails.
     *
     * @param from not in use by a reply
     */
    public Context fork(Context from) {
        Context fork = new Context();
        submit(() -> {
            try {
                share(from, fork);
            } catch (RuntimeException | Error e) {
                free(fork);
            }
        });
        return fork;
    }

    private static void share(Context from, Context with) {
        Sequence computed = from.sequence;
        if (computed != null) {
            with.sequence = computed.fork();
            for (int i = 0; i < from.tokens.size(); i++) {
                with.tokens.add(from.tokens.get(i));
            }
        }
    }

    /** Replies that speculate will come: what passes cost may be measured before them. */
    public void expectSpeculation() {
        // A reply that speculates tries again, and is told.
        submit(() -> quietly(speculators::expect));
    }

    /**
     * Starts a reply.
     *
     * @param context not in use by another reply
     * @throws UzuException.ContextOverflow when the prompt is longer than the context
     * @throws UzuException.InvalidArgument when the prompt is empty, or names a token that the model doesn't have, or a
     *     bias does
     * @throws UzuException.Closed after {@link #close}
     */
    public Output generate(Context context, Request request, EndListener listener) {
        check(request);
        Generation generation =
                new Generation(context, request, tokenizer, endTokens, sampler.size(), listener, thread);
        submit(() -> begin(generation));
        return generation.output();
    }

    /** Frees what is kept for {@code context}, once a reply that uses it has ended. */
    public void release(Context context) {
        try {
            submit(() -> {
                context.released = true;
                if (active.stream().noneMatch(g -> g.context() == context)) {
                    free(context);
                }
            });
        } catch (UzuException.Closed e) {
            // The executable frees its sequences when it is closed, which comes next.
        }
    }

    /** Ends the reply that uses {@code context}, if any, with {@link UzuException.Closed}, and frees what is kept. */
    public void end(Context context) {
        try {
            submit(() -> {
                context.released = true;
                fail(active.stream().filter(g -> g.context() == context).toList(), closed());
                free(context);
            });
        } catch (UzuException.Closed e) {
            // Its replies end, and its sequences are freed, with the instance.
        }
    }

    /** Bytes held, as of the last reply's end. */
    public long memoryBytes() {
        return memoryBytes;
    }

    /**
     * Ends running replies with {@link UzuException.Closed} and waits for the thread's end. Idempotent.
     *
     * @throws UzuException.InvalidState on the instance's own thread, which can't wait for itself
     */
    @Override
    public void close() {
        refuseOwnThread();
        synchronized (inbox) {
            if (!closed) {
                closed = true;
                inbox.add(() -> {});
            }
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** @throws UzuException.InvalidState on the instance's own thread, which can't wait for itself */
    public void refuseOwnThread() {
        if (Thread.currentThread() == thread) {
            throw new UzuException.InvalidState("a listener can't wait for the model that calls it");
        }
    }

    private void check(Request request) {
        if (request.prompt().length == 0) {
            throw new UzuException.InvalidArgument("the prompt has no tokens", Map.of("field", "prompt"));
        }
        if (request.prompt().length > request.contextLength()) {
            throw new UzuException.ContextOverflow(
                    "the prompt has " + request.prompt().length + " tokens, the context " + request.contextLength(),
                    Map.of(
                            "promptTokens", Integer.toString(request.prompt().length),
                            "contextLength", Integer.toString(request.contextLength())));
        }
        for (int token : request.prompt()) {
            if (token < 0 || token >= sampler.size()) {
                throw new UzuException.InvalidArgument(
                        "the prompt has token " + token + ", but the model has " + sampler.size(),
                        Map.of("field", "prompt", "token", Integer.toString(token)));
            }
        }
        for (int token : Settings.of(request.method()).logitBias().keySet()) {
            if (token >= sampler.size()) {
                throw new UzuException.InvalidArgument(
                        "logitBias names token " + token + ", but the model has " + sampler.size(),
                        Map.of("field", "logitBias", "token", Integer.toString(token)));
            }
        }
    }

    private void submit(Runnable work) {
        synchronized (inbox) {
            if (closed) {
                throw closed();
            }
            inbox.add(work);
        }
    }

    /** Whether it was closed, by a failure too. */
    public boolean isClosed() {
        return closed;
    }

    private UzuException closed() {
        UzuException cause = failure;
        return cause == null
                ? new UzuException.Closed("the model was closed")
                : new UzuException.Closed("the model was closed by a failure: " + cause.getMessage(), Map.of(), cause);
    }

    private void loop() {
        while (true) {
            try {
                Runnable work = nextWork();
                if (work != null) {
                    work.run();
                } else if (closed) {
                    break;
                } else {
                    step();
                }
            } catch (RuntimeException | Error e) {
                // What is half done isn't known any more: nothing goes on, but nobody waits for ever.
                breakOff(failure("the model's thread failed", e));
            }
        }
        UzuException cause = failure;
        UzuException end = cause == null ? closed() : cause;
        for (Generation generation : active) {
            quietly(() -> generation.fail(end));
            free(generation.context());
        }
        active.clear();
        quietly(speculators::close);
    }

    private void breakOff(UzuException error) {
        synchronized (inbox) {
            if (!closed) {
                failure = error;
                closed = true;
            }
        }
    }

    /** What came in; null, at once, when there is a step to make, or the end was reached. */
    private @Nullable Runnable nextWork() {
        if (!active.isEmpty() || closed) {
            return inbox.poll();
        }
        try {
            return idle();
        } catch (InterruptedException e) {
            // Nobody has this thread to interrupt it.
            return null;
        }
    }

    /**
     * Waits for work; when none comes for a while, here or for another model, makes passes faster, then measures what there
     * is to measure.
     */
    private Runnable idle() throws InterruptedException {
        long patience = IDLE_MILLIS;
        while (improves || speculators.wantsIdle(idleSequence())) {
            Runnable work = inbox.poll(patience, TimeUnit.MILLISECONDS);
            if (work != null) {
                return work;
            }
            boolean isAlone = executable.isAlone(TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS));
            patience = isAlone ? 0 : IDLE_MILLIS;
            if (!isAlone) {
                continue;
            }
            if (improves) {
                improve();
            } else {
                speculators.idle(idleSequence(), waited);
            }
        }
        return inbox.take();
    }

    private void improve() {
        try {
            improves = executable.improve(waited);
            memoryBytes = executable.memoryBytes();
        } catch (RuntimeException | Error e) {
            // Passes stay as fast as they are.
            improves = false;
        }
    }

    private @Nullable Sequence idleSequence() {
        return lastContext == null ? null : lastContext.sequence;
    }

    private void begin(Generation generation) {
        if (closed) {
            generation.fail(closed());
            return;
        }
        active.add(generation);
        guard(List.of(generation), () -> generation.start(executable, speculators));
        retireFinished();
    }

    private void step() {
        for (int i = 0; i < active.size(); i++) {
            if (active.get(i).isCancelled()) {
                active.get(i).cancel();
            }
        }
        retireFinished();
        guard(active, collection);
        if (active.isEmpty() || stepping.isEmpty()) {
            return;
        }
        guard(stepping, pass);
        retireFinished();
    }

    private void pass() {
        long begun = clock.getAsLong();
        if (!executable.run(batch, abandoned, null)) {
            return;
        }
        long took = clock.getAsLong() - begun;
        speculators.passed(batch, took);
        for (int i = 0; i < stepping.size(); i++) {
            Generation generation = stepping.get(i);
            try {
                generation.advance(batch, executable, sampler, logprobs, took);
            } catch (RuntimeException | Error e) {
                fail(List.of(generation), failure(PASS_FAILED, e));
            }
        }
    }

    private void collect() {
        batch.clear();
        stepping.clear();
        int waiting = 0;
        double waitingReads = 0;
        for (int i = 0; i < active.size(); i++) {
            Generation generation = active.get(i);
            if (generation.pending() == 1) {
                waiting++;
                waitingReads += generation.rootReads();
            }
        }
        int promptRows =
                waiting == 0 ? batch.free() : Math.max(1, Math.min(batch.free() - waiting, SHARED_PROMPT_ROWS));
        for (int i = 0; i < active.size(); i++) {
            Generation generation = active.get(i);
            boolean prompt = generation.pending() != 1;
            if (!prompt) {
                waiting--;
                waitingReads -= generation.rootReads();
            }
            int rows = prompt ? Math.min(batch.free(), promptRows) : batch.free() - waiting;
            if (rows > 0) {
                Company company = active.size() == 1
                        ? Company.NONE
                        : new Company(batch.size() + waiting, stepping.size() + waiting, batch.reads() + waitingReads);
                generation.collect(batch, rows, company);
                stepping.add(generation);
                promptRows -= prompt ? Math.min(rows, generation.pending()) : 0;
            }
        }
        if (stepping.size() < active.size()) {
            Collections.rotate(active, -1);
        }
    }

    /** A pass is given up only when nobody wants it; a reply cancelled among others ends with the pass. */
    private boolean isAbandoned() {
        if (closed) {
            return true;
        }
        for (int i = 0; i < stepping.size(); i++) {
            if (!stepping.get(i).isCancelled()) {
                return false;
            }
        }
        return true;
    }

    private void retireFinished() {
        if (!anyFinished()) {
            return;
        }
        memoryBytes = executable.memoryBytes();
        List<Generation> finished =
                active.stream().filter(Generation::isFinished).toList();
        active.removeAll(finished);
        for (Generation generation : finished) {
            publish(generation);
            lastContext = generation.context();
            if (generation.context().released) {
                free(generation.context());
            }
        }
    }

    private void publish(Generation generation) {
        try {
            generation.publish(memoryBytes);
        } catch (RuntimeException | Error e) {
            quietly(() -> generation.fail(failure("a reply could not be ended", e)));
        }
    }

    private boolean anyFinished() {
        for (int i = 0; i < active.size(); i++) {
            if (active.get(i).isFinished()) {
                return true;
            }
        }
        return false;
    }

    /** Whatever goes wrong ends the replies concerned, never the thread. */
    private void guard(List<Generation> concerned, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            fail(concerned, failure(PASS_FAILED, e));
        }
    }

    /** @param what of everything but known errors and full heaps */
    private static UzuException failure(String what, Throwable e) {
        return switch (e) {
            case UzuException known -> known;
            case OutOfMemoryError full ->
                new UzuException.OutOfMemory("the Java heap is full: " + full.getMessage(), Map.of(), full);
            default -> new UzuException.Internal(what + ": " + e, Map.of(), e);
        };
    }

    private void fail(List<Generation> concerned, UzuException error) {
        for (Generation generation : List.copyOf(concerned)) {
            if (active.remove(generation)) {
                quietly(() -> generation.fail(error));
                if (generation.context().released) {
                    free(generation.context());
                }
            }
        }
    }

    private static void free(Context context) {
        Sequence sequence = context.sequence;
        DraftSession drafts = context.drafts;
        context.sequence = null;
        context.drafts = null;
        if (sequence != null) {
            quietly(sequence::close);
            context.tokens.truncate(0);
        }
        if (drafts != null) {
            quietly(drafts::close);
        }
    }

    private static void quietly(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            Output.tell(e);
        }
    }
}
