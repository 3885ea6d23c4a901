package uzu.model;

import org.jspecify.annotations.Nullable;
import uzu.backend.Rope;

/** How positions turn: base frequency and scaling for long contexts. */
record RopeSettings(double base, Scaling scaling) {
    /** What is done to the plain frequencies base^(−2i/size). */
    sealed interface Scaling {
        record None() implements Scaling {}

        /** Every frequency divided by {@code factor}. */
        record Linear(double factor) implements Scaling {}

        /** Llama 3: long wavelengths divided by {@code factor}, short ones kept, a ramp between. */
        record Llama3(double factor, double lowFrequency, double highFrequency, int originalContext)
                implements Scaling {}
    }

    /** {@code factors}, if given, divide the frequencies one by one (GGUF stores Llama 3's scaling so). */
    Rope table(int rotated, float @Nullable [] factors) {
        float[] frequencies = new float[rotated / 2];
        for (int i = 0; i < frequencies.length; i++) {
            double plain = StrictMath.pow(base, -2.0 * i / rotated);
            double scaled = switch (scaling) {
                case Scaling.None() -> plain;
                case Scaling.Linear(double factor) -> plain / factor;
                case Scaling.Llama3 llama3 -> llama3Frequency(plain, llama3);
            };
            frequencies[i] = (float) (factors == null ? scaled : scaled / factors[i]);
        }
        return new Rope(frequencies, 1f);
    }

    private static double llama3Frequency(double plain, Scaling.Llama3 s) {
        double wavelength = 2 * Math.PI / plain;
        if (wavelength < s.originalContext / s.highFrequency) {
            return plain;
        }
        if (wavelength > s.originalContext / s.lowFrequency) {
            return plain / s.factor;
        }
        double smooth = (s.originalContext / wavelength - s.lowFrequency) / (s.highFrequency - s.lowFrequency);
        return (1 - smooth) * plain / s.factor + smooth * plain;
    }
}
