package uzu.backend.cpu;

import java.util.function.IntConsumer;

/** Runs independent tasks, on whatever threads there are, and returns when all are done. */
@FunctionalInterface
interface ParallelFor {
    ParallelFor SERIAL = (tasks, body) -> {
        for (int task = 0; task < tasks; task++) {
            body.accept(task);
        }
    };

    void run(int tasks, IntConsumer body);
}
