package uzu.backend.cpu;

import uzu.UzuException;

/** Measures what it costs that workers wait for each other. */
public final class TeamSpeed {
    private static final int STEPS = 10_000;
    private static final int RUNS = 20;

    private TeamSpeed() {}

    /**
     * Nanoseconds from one step to the next of a job whose parts, one for each thread, do nothing: the fastest of
     * several jobs.
     *
     * @throws UzuException.InvalidArgument when there are more threads than a team has
     */
    public static double nanosecondsPerStep(int threads) {
        if (threads < 1 || threads > CpuOptions.MAX_THREADS) {
            throw new UzuException.InvalidArgument("threads: " + threads + " is not in 1.." + CpuOptions.MAX_THREADS);
        }
        Team team = new Team();
        long least = Long.MAX_VALUE;
        for (int run = 0; run < RUNS; run++) {
            long start = System.nanoTime();
            team.run(threads, new Empty(threads));
            least = Math.min(least, System.nanoTime() - start);
        }
        team.close();
        return (double) least / STEPS;
    }

    private record Empty(int threads) implements Team.Job {
        @Override
        public int steps() {
            return STEPS;
        }

        @Override
        public int parts(int step) {
            return threads;
        }

        @Override
        public void run(int step, int part, int worker) {}
    }
}
