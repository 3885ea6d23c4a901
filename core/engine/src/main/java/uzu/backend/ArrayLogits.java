package uzu.backend;

import java.util.Arrays;

/** Logits in an array: the specification of the scans, and what runs where there are no kernels in C. */
public final class ArrayLogits implements Logits {
    /** No noise of {@link #contend} is larger: 25 · ln 2, rounded up. */
    private static final float MOST_NOISE = 17.33f;

    private final float[] logits;

    /** @param logits changed by {@link #set} */
    public ArrayLogits(float... logits) {
        this.logits = logits;
    }

    @Override
    public float get(int token) {
        return logits[token];
    }

    @Override
    public void set(int token, float logit) {
        logits[token] = logit;
    }

    @Override
    public void copy(float[] into) {
        System.arraycopy(logits, 0, into, 0, into.length);
    }

    @Override
    public int largest(int count) {
        float largest = Float.NEGATIVE_INFINITY;
        for (int token = 0; token < count; token++) {
            largest = Math.max(largest, logits[token]);
        }
        for (int token = 0; token < count; token++) {
            if (logits[token] == largest) {
                return token;
            }
        }
        return -1;
    }

    @Override
    public void tally(int count, float shift, float temperature, boolean weigh, Tally into) {
        for (int i = 0; i < Tally.SIZE; i++) {
            tally(count, shift, temperature, weigh, i, into);
        }
    }

    private void tally(int count, float shift, float temperature, boolean weigh, int reach, Tally into) {
        float least = -into.reaches[reach];
        int tokens = 0;
        double[] sums = new double[Tally.LANES];
        for (int block = 0; block < count; block += Tally.BLOCK) {
            int end = Math.min(count, block + Tally.BLOCK);
            for (int lane = 0; lane < Tally.LANES; lane++) {
                float sum = 0;
                for (int token = block + lane; token < end; token += Tally.LANES) {
                    float value = (logits[token] - shift) / temperature + 0f;
                    if (value >= least) {
                        sum += weigh ? FloatExp.of(value) : 0;
                        tokens++;
                    }
                }
                sums[lane] += sum;
            }
        }
        into.counts[reach] = tokens;
        double sum = 0;
        for (double lane : sums) {
            sum += lane;
        }
        into.weights[reach] = sum;
    }

    @Override
    public void gather(int count, float shift, float temperature, float least, float below, Candidates into) {
        into.reserve(count);
        int size = 0;
        for (int token = 0; token < count; token++) {
            float value = (logits[token] - shift) / temperature + 0f;
            if (value >= least && value < below) {
                into.tokens[size] = token;
                into.values[size++] = value;
            }
        }
        into.size = size;
    }

    @Override
    public void contend(
            int count, float shift, float temperature, float least, double best, long key, Candidates into) {
        gather(count, shift, temperature, Math.max(least, (float) best - MOST_NOISE), 1, into);
    }

    @Override
    public void restrict(long[] allowed, int count) {
        for (int first = 0; first < count; first += Long.SIZE) {
            long word = first >> 6 < allowed.length ? allowed[first >> 6] : 0;
            int end = Math.min(count, first + Long.SIZE);
            if (word == 0) {
                Arrays.fill(logits, first, end, Float.NEGATIVE_INFINITY);
            } else if (word != -1) {
                for (int token = first; token < end; token++) {
                    if ((word >>> token & 1) == 0) {
                        logits[token] = Float.NEGATIVE_INFINITY;
                    }
                }
            }
        }
    }
}
