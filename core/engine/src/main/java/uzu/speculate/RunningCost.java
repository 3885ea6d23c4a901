package uzu.speculate;

/** What something takes that is done again and again: a running mean in which single delays count little. */
final class RunningCost {
    private static final double SHARE = 0.05;
    private static final double OUTLIER = 3;

    private double seconds;

    /** 0 until it was measured. */
    double seconds() {
        return seconds;
    }

    void took(long nanos) {
        double measured = nanos / 1e9;
        if (seconds == 0) {
            seconds = measured;
        } else {
            seconds += SHARE * (Math.min(measured, OUTLIER * seconds) - seconds);
        }
    }
}
