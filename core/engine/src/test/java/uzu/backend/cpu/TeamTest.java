package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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

    @Test
    void noWorkerPassesABarrierBeforeAllArrive() {
        for (int workers : new int[] {1, 2, 3, 8, 2, 1, 5}) {
            int rounds = 300;
            AtomicInteger arrived = new AtomicInteger();
            AtomicInteger wrong = new AtomicInteger();
            team.run(workers, worker -> {
                for (int round = 1; round <= rounds; round++) {
                    arrived.incrementAndGet();
                    if (!team.barrier(worker) || arrived.get() < round * workers) {
                        wrong.incrementAndGet();
                    }
                    team.barrier(worker);
                }
            });
            assertEquals(0, wrong.get());
            assertEquals(rounds * workers, arrived.get());
        }
    }

    @Test
    void whatAWorkerThrowsReachesTheCallerAndTheTeamStaysUsable() {
        for (int thrower = 0; thrower < 3; thrower++) {
            int bad = thrower;
            AssertionError error = new AssertionError("worker " + bad);
            var thrown = assertThrows(
                    AssertionError.class,
                    () -> team.run(3, worker -> {
                        team.barrier(worker);
                        if (worker == bad) {
                            throw error;
                        }
                        assertFalse(team.barrier(worker));
                    }));
            assertSame(error, thrown);
            AtomicInteger ran = new AtomicInteger();
            team.run(3, worker -> {
                ran.incrementAndGet();
                assertTrue(team.barrier(worker));
            });
            assertEquals(3, ran.get());
        }
    }

    @Test
    void abortingFreesThoseWhoWait() {
        AtomicInteger freed = new AtomicInteger();
        team.run(4, worker -> {
            if (worker == 0) {
                team.abort();
            } else if (!team.barrier(worker)) {
                freed.incrementAndGet();
            }
        });
        assertEquals(3, freed.get());
    }

    @Test
    void jobsOfSeveralThreadsExcludeEachOther() throws InterruptedException {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < 4; caller++) {
            callers.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 50; i++) {
                    team.run(2, worker -> {
                        if (worker == 0 && inside.getAndIncrement() != 0) {
                            overlaps.incrementAndGet();
                        }
                        team.barrier(worker);
                        if (worker == 0) {
                            inside.decrementAndGet();
                        }
                    });
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
        AtomicInteger done = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        Thread caller = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            team.run(2, worker -> {
                if (worker == 1) {
                    LockSupport.parkNanos(20_000_000);
                    done.incrementAndGet();
                }
            });
            if (Thread.currentThread().isInterrupted() && done.get() == 1) {
                interrupted.incrementAndGet();
            }
        });
        caller.join();
        assertEquals(1, interrupted.get());
    }

    @Test
    void idleWorkersPark() throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        team.run(3, worker -> {
            synchronized (workers) {
                workers.add(Thread.currentThread());
            }
        });
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
        assertThrows(UzuException.Closed.class, () -> team.run(1, worker -> {}));
    }
}
