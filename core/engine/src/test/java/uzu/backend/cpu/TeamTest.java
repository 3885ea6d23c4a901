package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.UzuException;

@Timeout(60)
class TeamTest {
    private final Team team = new Team();

    @AfterEach
    void close() {
        team.close();
    }

    /** Steps of as many parts as said, all doing the same. */
    private record Steps(int[] partsOf, Body body) implements Team.Job {
        interface Body {
            void run(int step, int part, int worker);
        }

        @Override
        public int steps() {
            return partsOf.length;
        }

        @Override
        public int parts(int step) {
            return partsOf[step];
        }

        @Override
        public void run(int step, int part, int worker) {
            body.run(step, part, worker);
        }
    }

    private static int[] times(int count, int parts) {
        int[] all = new int[count];
        Arrays.fill(all, parts);
        return all;
    }

    @Test
    void everyPartRunsOnceAndNoStepBeginsBeforeTheLastHasEnded() {
        Random random = new Random(4);
        for (int workers : new int[] {1, 2, 3, 8, 2, 1, 5}) {
            int[] partsOf = random.ints(500, 0, 7).toArray();
            AtomicIntegerArray runs = new AtomicIntegerArray(500 * 7);
            AtomicInteger ended = new AtomicInteger();
            AtomicInteger wrong = new AtomicInteger();
            int[] before = new int[501];
            for (int step = 0; step < 500; step++) {
                before[step + 1] = before[step] + partsOf[step];
            }
            team.run(workers, new Steps(partsOf, (step, part, worker) -> {
                runs.incrementAndGet(step * 7 + part);
                if (worker >= workers || ended.get() < before[step]) {
                    wrong.incrementAndGet();
                }
                ended.incrementAndGet();
            }));
            assertEquals(0, wrong.get());
            for (int step = 0; step < 500; step++) {
                for (int part = 0; part < 7; part++) {
                    assertEquals(part < partsOf[step] ? 1 : 0, runs.get(step * 7 + part));
                }
            }
        }
    }

    @Test
    void noWorkerRunsTwoPartsAtOnce() {
        AtomicIntegerArray busy = new AtomicIntegerArray(4);
        AtomicInteger wrong = new AtomicInteger();
        team.run(4, new Steps(times(300, 9), (step, part, worker) -> {
            if (busy.getAndIncrement(worker) != 0) {
                wrong.incrementAndGet();
            }
            busy.decrementAndGet(worker);
        }));
        assertEquals(0, wrong.get());
    }

    @Test
    void whatAPartThrowsReachesTheCallerAndTheTeamStaysUsable() {
        for (int trial = 0; trial < 20; trial++) {
            AssertionError error = new AssertionError("from a part");
            AtomicInteger after = new AtomicInteger();
            var thrown = assertThrows(
                    AssertionError.class,
                    () -> team.run(3, new Steps(times(5, 6), (step, part, worker) -> {
                        if (step == 2 && part == 4) {
                            throw error;
                        }
                        if (step > 2) {
                            after.incrementAndGet();
                        }
                    })));
            assertSame(error, thrown);
            assertEquals(0, after.get());
            AtomicInteger ran = new AtomicInteger();
            team.run(3, new Steps(times(4, 3), (step, part, worker) -> ran.incrementAndGet()));
            assertEquals(12, ran.get());
        }
    }

    @Test
    void whatAJobThrowsBetweenStepsReachesTheCaller() {
        IllegalStateException error = new IllegalStateException("from the job");
        var thrown = assertThrows(
                IllegalStateException.class,
                () -> team.run(2, new Team.Job() {
                    @Override
                    public int steps() {
                        return 4;
                    }

                    @Override
                    public int parts(int step) {
                        if (step == 2) {
                            throw error;
                        }
                        return 3;
                    }

                    @Override
                    public void run(int step, int part, int worker) {}
                }));
        assertSame(error, thrown);
    }

    @Test
    void anAbortedJobBeginsNoFurtherStep() {
        AtomicInteger after = new AtomicInteger();
        team.run(4, new Steps(times(10, 4), (step, part, worker) -> {
            if (step == 3) {
                team.abort();
            } else if (step > 3) {
                after.incrementAndGet();
            }
        }));
        assertEquals(0, after.get());
    }

    @Test
    void stepsForTheCallerRunOnItsThread() {
        Thread caller = Thread.currentThread();
        AtomicInteger wrong = new AtomicInteger();
        team.run(3, new Team.Job() {
            @Override
            public int steps() {
                return 200;
            }

            @Override
            public int parts(int step) {
                return 3;
            }

            @Override
            public boolean onCaller(int step) {
                return step % 2 == 1;
            }

            @Override
            public void run(int step, int part, int worker) {
                if (step % 2 == 1 && (worker != 0 || Thread.currentThread() != caller)) {
                    wrong.incrementAndGet();
                }
            }
        });
        assertEquals(0, wrong.get());
    }

    @Test
    void aWorkerThatIsPutAsideHoldsUpNobody() {
        AtomicInteger other = new AtomicInteger(-1);
        CountDownLatch rest = new CountDownLatch(99);
        team.run(2, new Steps(times(1, 100), (step, part, worker) -> {
            if (other.compareAndSet(-1, worker)) {
                await(rest);
            } else {
                rest.countDown();
            }
        }));
        assertEquals(0, rest.getCount());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void jobsOfSeveralThreadsExcludeEachOther() throws InterruptedException {
        AtomicReference<Object> inside = new AtomicReference<>();
        AtomicInteger overlaps = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < 4; caller++) {
            callers.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 50; i++) {
                    Object job = new Object();
                    team.run(2, new Steps(times(3, 1), (step, part, worker) -> {
                        boolean alone = switch (step) {
                            case 0 -> inside.compareAndSet(null, job);
                            case 1 -> inside.get() == job;
                            default -> inside.compareAndSet(job, null);
                        };
                        if (!alone) {
                            overlaps.incrementAndGet();
                        }
                    }));
                }
            }));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertEquals(0, overlaps.get());
    }

    @Test
    void anInterruptedCallerStillWaitsAndStaysInterrupted() throws InterruptedException {
        AtomicInteger interrupted = new AtomicInteger();
        Thread caller = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            AtomicInteger done = new AtomicInteger();
            team.run(2, new Steps(times(1, 2), (step, part, worker) -> {
                if (worker == 1) {
                    LockSupport.parkNanos(20_000_000);
                }
                done.incrementAndGet();
            }));
            if (Thread.currentThread().isInterrupted() && done.get() == 2) {
                interrupted.incrementAndGet();
            }
        });
        caller.join();
        assertEquals(1, interrupted.get());
    }

    @Test
    void idleWorkersParkAndEndWithTheTeam() throws InterruptedException {
        Set<Thread> workers = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(3);
        team.run(3, new Steps(times(1, 3), (step, part, worker) -> {
            workers.add(Thread.currentThread());
            all.countDown();
            await(all);
        }));
        workers.remove(Thread.currentThread());
        assertEquals(2, workers.size());
        for (Thread worker : workers) {
            while (worker.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
        team.close();
        for (Thread worker : workers) {
            worker.join();
        }
        assertThrows(UzuException.Closed.class, () -> team.run(1, new Steps(new int[0], (step, part, worker) -> {})));
    }

    @Test
    void whoWaitsSpinsForLessThanAMillisecond() throws InterruptedException {
        Set<Thread> workers = ConcurrentHashMap.newKeySet();
        Steps job = new Steps(times(1, 2), (step, part, worker) -> {
            workers.add(Thread.currentThread());
            LockSupport.parkNanos(200_000);
        });
        for (int i = 0; i < 50; i++) {
            team.run(2, job);
        }
        workers.remove(Thread.currentThread());
        Thread worker = workers.iterator().next();
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long before = clock.getThreadCpuTime(worker.threadId());
        int jobs = 100;
        for (int i = 0; i < jobs; i++) {
            team.run(2, job);
            Thread.sleep(3);
        }
        long used = clock.getThreadCpuTime(worker.threadId()) - before;
        // Waking, running and parking again take some 50 µs, spinning 300; spinning on would take the 3 ms.
        assertTrue(used < jobs * 800_000L, used / jobs + " ns of processor time a job");
    }
}
