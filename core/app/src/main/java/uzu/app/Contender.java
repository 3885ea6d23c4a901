package uzu.app;

/** A loaded model that can be timed over one sequence of given ids. */
interface Contender extends AutoCloseable {
    /** Later runs use so many threads. */
    void useThreads(int threads);

    /** Makes one run, and afterwards sleeps until the next; the context is computed outside the time. */
    long nanoseconds(Measure measure);

    @Override
    void close();
}
