package uzu.polyglot;

import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What JavaScript has instead of threads. Any thread posts tasks, and one runs them: the only one that may enter the
 * context. It ends when there are no tasks, no timers and nothing that holds it.
 */
final class EventLoop {
    private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final Map<Long, Timer> timersById = new HashMap<>();
    private long lastTimer;
    private int held;

    /** Those of one time run in the order in which they were set; with the period 0 it runs once. */
    private record Timer(long id, long dueNanos, long period, boolean holds, Runnable task)
            implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            long difference = dueNanos - other.dueNanos;
            return difference != 0 ? Long.signum(difference) : Long.compare(id, other.id);
        }
    }

    /** On any thread. */
    void post(Runnable task) {
        tasks.add(task);
    }

    /** While it was called more often with true than with false, the loop waits for tasks. */
    void hold(boolean holds) {
        held += holds ? 1 : -1;
    }

    long setTimer(Runnable task, long delayMillis, boolean repeats) {
        long delay = TimeUnit.MILLISECONDS.toNanos(Math.max(1, delayMillis));
        return add(new Timer(++lastTimer, System.nanoTime() + delay, repeats ? delay : 0, true, task));
    }

    void clearTimer(long id) {
        Timer timer = timersById.remove(id);
        if (timer != null) {
            timers.remove(timer);
        }
    }

    /** Whether the loop waits for this timer. */
    void holdTimer(long id, boolean holds) {
        Timer timer = timersById.get(id);
        if (timer != null) {
            clearTimer(id);
            add(new Timer(id, timer.dueNanos, timer.period, holds, timer.task));
        }
    }

    private long add(Timer timer) {
        timers.add(timer);
        timersById.put(timer.id, timer);
        return timer.id;
    }

    /** Runs until nothing can happen any more. */
    void run() {
        while (step()) {
            // the step is all
        }
    }

    /** Runs one task, waiting for it. @return false when none can come any more */
    boolean step() {
        Runnable task = next();
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }

    private @Nullable Runnable next() {
        while (true) {
            Timer first = timers.peek();
            long wait = first == null ? Long.MAX_VALUE : first.dueNanos - System.nanoTime();
            if (first != null && wait <= 0) {
                // Behind the tasks that wait already, so that neither keeps the others from running.
                timers.remove(first);
                post(() -> run(first));
                continue;
            }
            boolean waits = held > 0 || timers.stream().anyMatch(Timer::holds);
            try {
                Runnable task = waits ? tasks.poll(wait, TimeUnit.NANOSECONDS) : tasks.poll();
                if (task != null || !waits) {
                    return task;
                }
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
    }

    private void run(Timer timer) {
        if (!timersById.remove(timer.id, timer)) {
            return; // cleared meanwhile
        }
        if (timer.period > 0) {
            add(new Timer(timer.id, System.nanoTime() + timer.period, timer.period, timer.holds, timer.task));
        }
        timer.task.run();
    }
}
