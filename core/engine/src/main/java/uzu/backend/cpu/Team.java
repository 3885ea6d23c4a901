package uzu.backend.cpu;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * Worker threads that step through a job together; the thread that calls {@link #run} is worker 0. Who waits spins for
 * a moment, since a decode step has hundreds of barriers a few microseconds apart, then parks, since on a busy machine
 * the awaited worker may need this very core. Jobs exclude each other.
 */
final class Team {
    /** What all workers run, each with its number. */
    interface Job {
        void run(int worker);
    }

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    // Longs from one worker's element to the next: two cache lines, as processors fetch lines in pairs.
    private static final int PAD = 16;
    private static final int CAPACITY = (CpuOptions.MAX_THREADS + 2) * PAD;
    private static final long SPIN_NANOS = 50_000;
    // Between two looks at the clock, which costs more than a pause.
    private static final int SPINS = 32;
    private static final long BARRIERS_OF_A_JOB = 1L << 24;

    private final ReentrantLock running = new ReentrantLock();
    private final int processors = Runtime.getRuntime().availableProcessors();
    private final @Nullable Thread[] threads = new Thread[CpuOptions.MAX_THREADS];

    // Of worker w, at (w + 1) · PAD: the last job it was given, the barrier it reached, the job it ended, 1 if parked.
    private final long[] given = new long[CAPACITY];
    private final long[] reached = new long[CAPACITY];
    private final long[] ended = new long[CAPACITY];
    private final long[] parked = new long[CAPACITY];

    private long jobs;
    private boolean closed;

    // Of the current job; published by given.
    private @Nullable Job job;
    private int workers;
    private long spinNanos;
    private volatile boolean aborted;
    private volatile @Nullable Throwable failure;

    /**
     * Runs {@code job} on {@code count} workers and returns when all have ended it. What a worker throws ends the job
     * for all at their next barrier and is thrown here; the team stays usable.
     */
    void run(int count, Job job) {
        if (running.isHeldByCurrentThread()) {
            throw new UzuException.InvalidState("a pass can't run inside another pass on the same thread");
        }
        running.lock();
        try {
            if (closed) {
                throw new UzuException.Closed("the worker team is closed");
            }
            start(count, job);
            work(0);
            for (int worker = 1; worker < count; worker++) {
                await(0, ended, worker, jobs, false);
            }
            this.job = null;
            rethrow(failure);
        } finally {
            running.unlock();
        }
    }

    /**
     * Waits until every worker of the job got here. To be called by all of them equally often.
     *
     * @return false when the job was aborted: the worker must return
     */
    boolean barrier(int worker) {
        int count = workers;
        if (count > 1) {
            long[] flags = reached;
            int mine = (worker + 1) * PAD;
            long next = flags[mine] + 1;
            // A volatile write is a full fence: who parks after it sees the barrier, who parked before is seen here.
            LONGS.setVolatile(flags, mine, next);
            for (int other = 0; other < count; other++) {
                wake(other);
            }
            for (int other = 0; other < count; other++) {
                if (!await(worker, flags, other, next, true)) {
                    return false;
                }
            }
        }
        return !aborted;
    }

    /** Ends the job for all workers at their next barrier. */
    void abort() {
        aborted = true;
        for (int worker = 0; worker < workers; worker++) {
            wake(worker);
        }
    }

    /** Ends the threads. */
    void close() {
        running.lock();
        try {
            closed = true;
            for (int worker = 1; worker < threads.length && threads[worker] != null; worker++) {
                LONGS.setVolatile(given, (worker + 1) * PAD, Long.MAX_VALUE);
                wake(worker);
            }
        } finally {
            running.unlock();
        }
    }

    private void start(int count, Job next) {
        jobs++;
        job = next;
        workers = count;
        // More workers than processors: whoever spins keeps another from running.
        spinNanos = count <= processors ? SPIN_NANOS : 0;
        aborted = false;
        failure = null;
        threads[0] = Thread.currentThread();
        for (int worker = 0; worker < count; worker++) {
            // An aborted job leaves the workers at different barriers.
            reached[(worker + 1) * PAD] = jobs * BARRIERS_OF_A_JOB;
        }
        for (int worker = 1; worker < count; worker++) {
            LONGS.setVolatile(given, (worker + 1) * PAD, jobs);
            if (threads[worker] == null) {
                int number = worker;
                threads[worker] = Thread.ofPlatform()
                        .daemon()
                        .name("uzu-worker-" + worker)
                        .start(() -> serve(number));
            } else {
                wake(worker);
            }
        }
    }

    private void serve(int worker) {
        long last = 0;
        while (true) {
            await(worker, given, worker, last + 1, false);
            last = (long) LONGS.getVolatile(given, (worker + 1) * PAD);
            if (last == Long.MAX_VALUE) {
                return;
            }
            work(worker);
            LONGS.setVolatile(ended, (worker + 1) * PAD, last);
            wake(0);
        }
    }

    private void work(int worker) {
        Job current = job;
        if (current == null) {
            return;
        }
        try {
            current.run(worker);
        } catch (Throwable thrown) {
            failure = thrown;
            abort();
        }
    }

    private void wake(int worker) {
        Thread thread = threads[worker];
        if (thread != null && (long) LONGS.getVolatile(parked, (worker + 1) * PAD) != 0) {
            LockSupport.unpark(thread);
        }
    }

    /** Waits until worker {@code other}'s flag is at least {@code value}; false if the job was aborted before. */
    private boolean await(int me, long[] flags, int other, long value, boolean unlessAborted) {
        int at = (other + 1) * PAD;
        if ((long) LONGS.getAcquire(flags, at) >= value) {
            return true;
        }
        long deadline = System.nanoTime() + spinNanos;
        do {
            for (int i = 0; i < SPINS; i++) {
                if ((long) LONGS.getAcquire(flags, at) >= value) {
                    return true;
                }
                Thread.onSpinWait();
            }
            if (unlessAborted && aborted) {
                return false;
            }
        } while (System.nanoTime() - deadline < 0);
        return park(me, flags, at, value, unlessAborted);
    }

    private boolean park(int me, long[] flags, int at, long value, boolean unlessAborted) {
        int mine = (me + 1) * PAD;
        boolean interrupted = false;
        boolean there;
        LONGS.setVolatile(parked, mine, 1L);
        while (!(there = (long) LONGS.getVolatile(flags, at) >= value) && !(unlessAborted && aborted)) {
            LockSupport.park(this);
            // An interrupted thread would not park again; it hears of it when the pass has ended.
            interrupted |= Thread.interrupted();
        }
        LONGS.setVolatile(parked, mine, 0L);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return there;
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
