package uzu.backend;

import java.util.Arrays;

/**
 * Rotary position embedding, half-split: with r = 2·frequencies.length, columns i and i + r/2 of a head turn by the
 * angle (float) position · frequencies[i], rounded to float; cosine and sine by StrictMath in double, rounded to
 * float and multiplied by {@code magnitude}. Columns from r on pass unchanged.
 *
 * @param shift added to every position
 */
public record Rope(float[] frequencies, float magnitude, int shift) {
    public Rope(float[] frequencies, float magnitude) {
        this(frequencies, magnitude, 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Rope rope
                && magnitude == rope.magnitude
                && shift == rope.shift
                && Arrays.equals(frequencies, rope.frequencies);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(frequencies) + Float.hashCode(magnitude)) + shift;
    }
}
