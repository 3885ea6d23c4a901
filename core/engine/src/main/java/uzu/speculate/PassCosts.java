package uzu.speculate;

/** What a pass of so many rows takes, in seconds: measured once for a machine and model, then as passes go by. */
public final class PassCosts {
    /** Rows beyond which no draft goes. */
    public static final int MOST_ROWS = 64;

    // How much a pass that was just made counts.
    private static final double SHARE = 0.05;
    // Of what was expected: a pass that took longer was held up by something else.
    private static final double OUTLIER = 2;

    private final double[] seconds = new double[MOST_ROWS + 1];

    /**
     * @param rows of the measured passes, rising, from 1 on
     * @param measured their seconds
     */
    public PassCosts(int[] rows, double[] measured) {
        int next = 0;
        for (int n = 1; n <= MOST_ROWS; n++) {
            while (next < rows.length - 1 && rows[next] < n) {
                next++;
            }
            int before = Math.max(0, next - 1);
            if (next == before || n <= rows[before]) {
                seconds[n] = measured[before] * Math.max(1, (double) n / rows[next]);
            } else {
                double slope = (measured[next] - measured[before]) / (rows[next] - rows[before]);
                seconds[n] = measured[before] + slope * (n - rows[before]);
            }
        }
        rise(1);
    }

    /** Of a pass with {@code rows} rows whose logits are wanted. */
    public double seconds(int rows) {
        return rows <= MOST_ROWS ? seconds[rows] : seconds[MOST_ROWS] * rows / MOST_ROWS;
    }

    /** A pass was made. */
    public void passed(int rows, double took) {
        if (rows < 1 || rows > MOST_ROWS || took > OUTLIER * seconds[rows]) {
            return;
        }
        seconds[rows] += SHARE * (took - seconds[rows]);
        rise(rows);
    }

    /** More rows never cost less. */
    private void rise(int rows) {
        for (int n = rows + 1; n <= MOST_ROWS; n++) {
            seconds[n] = Math.max(seconds[n], seconds[n - 1]);
        }
        for (int n = rows - 1; n >= 1; n--) {
            seconds[n] = Math.min(seconds[n], seconds[n + 1]);
        }
    }
}
