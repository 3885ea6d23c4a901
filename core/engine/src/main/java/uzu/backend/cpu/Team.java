package uzu.backend.cpu;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * Worker threads that step through a job together; the thread that calls {@link #run} is worker 0. Workers claim the
 * parts of a step one by one, and the next step begins when all parts are done. So nobody waits for a worker that the
 * system has put aside between two parts: on a busy machine those that run do its share. Who finds nothing to claim
 * spins for a moment, since a decode step has hundreds of steps a few microseconds long, then parks. Jobs exclude each
 * other.
 */
final class Team {
    /** Steps, each of parts that may run at the same time. */
    interface Job {
        int steps();

        /** Parts of a step, at most {@link #MAX_PARTS}; 0 leaves the step out. */
        int parts(int step);

        /** Whether only the thread that called for the job may run the step. */
        default boolean onCaller(int step) {
            return false;
        }

        void run(int step, int part, int worker);
    }

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    // Longs from one worker's element to the next: two cache lines, as processors fetch lines in pairs.
    private static final int PAD = 16;
    private static final int CAPACITY = (CpuOptions.MAX_THREADS + 2) * PAD;
    private static final long SPIN_NANOS = 50_000;
    // Between two jobs, as long as tokens are drawn and drafted: to wake a worker takes 30 µs of worker 0's time, and
    // then it comes late.
    private static final long JOB_SPIN_NANOS = 300_000;
    // Between two looks at the clock, which costs more than a pause.
    private static final int SPINS = 32;

    static final int MAX_PARTS = (1 << 15) - 1;

    // The state, from the lowest bit: the part claimed next, the parts of the step, the step, whether it is for
    // worker 0 only, and the job's number. All in one, so that a claim succeeds only where all of it still holds.
    private static final int PARTS_SHIFT = 15;
    private static final int STEP_SHIFT = 30;
    private static final int ON_CALLER_SHIFT = 44;
    private static final int JOB_SHIFT = 45;
    private static final int ENDED = (1 << ON_CALLER_SHIFT - STEP_SHIFT) - 1;

    private final ReentrantLock running = new ReentrantLock();
    private final int processors = Runtime.getRuntime().availableProcessors();
    private final @Nullable Thread[] threads = new Thread[CpuOptions.MAX_THREADS];

    // Of worker w, at (w + 1) · PAD: the last job it was given, and 1 while it is parked.
    private final long[] given = new long[CAPACITY];
    private final long[] parked = new long[CAPACITY];
    // At PAD.
    private final long[] state = new long[2 * PAD + 1];
    // At PAD: parts of the step that are done.
    private final long[] done = new long[2 * PAD + 1];

    private long jobs;
    private boolean closed;

    /** When the last job ended, as {@link System#nanoTime} has it. */
    private volatile long ended = System.nanoTime();

    // Of the current job; published by its first state.
    private @Nullable Job job;
    private int workers;
    private boolean spins;
    private volatile boolean aborted;
    private volatile @Nullable Throwable failure;

    /**
     * Runs {@code next} on {@code count} workers and returns when it has ended. What a part throws ends the job: parts
     * that run come to their end, others are left out, and it is thrown here. The team stays usable.
     */
    void run(int count, Job next) {
        if (running.isHeldByCurrentThread()) {
            throw new UzuException.InvalidState("a pass can't run inside another pass on the same thread");
        }
        running.lock();
        try {
            if (closed) {
                throw new UzuException.Closed("the worker team is closed");
            }
            start(count, next);
            work(0, jobs);
            job = null;
            threads[0] = null;
            ended = System.nanoTime();
            rethrow(failure);
        } finally {
            running.unlock();
        }
    }

    /** When the last job ended, as {@link System#nanoTime} has it. */
    long ended() {
        return ended;
    }

    /** Whether a job runs, or somebody waits to run one. */
    boolean isBusy() {
        return running.isLocked() || running.hasQueuedThreads();
    }

    /** Leaves out the parts of the job that haven't begun. */
    void abort() {
        aborted = true;
    }

    /** Ends the threads. */
    void close() {
        running.lock();
        try {
            closed = true;
            for (int worker = 1; worker < threads.length; worker++) {
                LONGS.setVolatile(given, (worker + 1) * PAD, Long.MAX_VALUE);
                wake(worker);
            }
        } finally {
            running.unlock();
        }
    }

    private void start(int count, Job next) {
        if (next.steps() >= ENDED) {
            throw new UzuException.InvalidArgument("a job of " + next.steps() + " steps is too long");
        }
        jobs++;
        job = next;
        workers = count;
        // More workers than processors: whoever spins keeps another from running.
        spins = count <= processors;
        aborted = false;
        failure = null;
        threads[0] = Thread.currentThread();
        begin(next, -1, 0);
        for (int worker = 1; worker < count; worker++) {
            LONGS.setVolatile(given, (worker + 1) * PAD, jobs);
            if (threads[worker] == null) {
                threads[worker] = newThread(worker);
            } else {
                wake(worker);
            }
        }
    }

    private @Nullable Thread newThread(int worker) {
        try {
            return Thread.ofPlatform().daemon().name("uzu-worker-" + worker).start(() -> serve(worker));
        } catch (OutOfMemoryError noThread) {
            // The others do its share.
            return null;
        }
    }

    private void serve(int worker) {
        int mine = (worker + 1) * PAD;
        long last = 0;
        while (true) {
            await(worker, given, mine, last, JOB_SPIN_NANOS);
            last = (long) LONGS.getVolatile(given, mine);
            if (last == Long.MAX_VALUE) {
                return;
            }
            work(worker, last);
        }
    }

    /** Claims and runs parts until job {@code number} has ended. */
    private void work(int worker, long number) {
        while (true) {
            long now = (long) LONGS.getVolatile(state, PAD);
            int step = (int) (now >>> STEP_SHIFT) & ENDED;
            if (now >>> JOB_SHIFT != number << JOB_SHIFT >>> JOB_SHIFT || step == ENDED) {
                return;
            }
            int part = (int) now & MAX_PARTS;
            int parts = (int) (now >>> PARTS_SHIFT) & MAX_PARTS;
            boolean mayRun = worker == 0 || (now >>> ON_CALLER_SHIFT & 1) == 0;
            if (part < parts && mayRun) {
                if (LONGS.compareAndSet(state, PAD, now, now + 1)) {
                    runPart(step, part, parts, worker);
                }
            } else {
                await(worker, state, PAD, now, SPIN_NANOS);
            }
        }
    }

    private void runPart(int step, int part, int parts, int worker) {
        Job current = job;
        if (current == null) {
            return;
        }
        try {
            if (!aborted) {
                current.run(step, part, worker);
            }
        } catch (Throwable thrown) {
            failure = thrown;
            aborted = true;
        }
        if ((long) LONGS.getAndAdd(done, PAD, 1L) + 1 == parts) {
            try {
                begin(current, step, worker);
            } catch (Throwable thrown) {
                failure = thrown;
                aborted = true;
                begin(current, step, worker);
            }
        }
    }

    /** Begins the step after {@code step}, or ends the job. */
    private void begin(Job current, int step, int worker) {
        int next = step + 1;
        int count = 0;
        while (!aborted && next < current.steps() && (count = current.parts(next)) == 0) {
            next++;
        }
        boolean ended = aborted || next >= current.steps();
        boolean onCaller = !ended && current.onCaller(next);
        done[PAD] = 0;
        long begun = jobs << JOB_SHIFT
                | (onCaller ? 1L << ON_CALLER_SHIFT : 0)
                | (long) (ended ? ENDED : next) << STEP_SHIFT
                | (long) (ended ? 0 : count) << PARTS_SHIFT;
        // A volatile write is a full fence: who parks after it sees the step, who parked before is seen here.
        LONGS.setVolatile(state, PAD, begun);
        // A single part is this worker's own next claim.
        int last = ended || onCaller ? 1 : count > 1 ? workers : 0;
        for (int other = 0; other < last; other++) {
            if (other != worker) {
                wake(other);
            }
        }
    }

    private void wake(int worker) {
        Thread thread = threads[worker];
        if (thread != null && (long) LONGS.getVolatile(parked, (worker + 1) * PAD) != 0) {
            LockSupport.unpark(thread);
        }
    }

    /** Waits until the flag is no longer {@code old}. */
    private void await(int me, long[] flags, int at, long old, long spinNanos) {
        long deadline = System.nanoTime() + (spins ? spinNanos : 0);
        do {
            for (int i = 0; i < SPINS; i++) {
                if ((long) LONGS.getAcquire(flags, at) != old) {
                    return;
                }
                Thread.onSpinWait();
            }
        } while (System.nanoTime() - deadline < 0);
        park(me, flags, at, old);
    }

    private void park(int me, long[] flags, int at, long old) {
        int mine = (me + 1) * PAD;
        boolean interrupted = false;
        LONGS.setVolatile(parked, mine, 1L);
        while ((long) LONGS.getVolatile(flags, at) == old) {
            LockSupport.park(this);
            // An interrupted thread would not park again; it hears of it when the pass has ended.
            interrupted |= Thread.interrupted();
        }
        LONGS.setVolatile(parked, mine, 0L);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void rethrow(@Nullable Throwable thrown) {
        switch (thrown) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException exception -> throw exception;
            case Throwable checked -> throw new UzuException.Internal("a worker failed", Map.of(), checked);
        }
    }
}
