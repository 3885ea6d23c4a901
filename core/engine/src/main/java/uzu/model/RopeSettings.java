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

        /**
         * YaRN: frequencies that turn less than {@code betaSlow} times over the original context are divided by
         * {@code factor}, those that turn more than {@code betaFast} times kept, a ramp between by their number, whose
         * ends are rounded outwards if {@code truncate}; cosines and sines are times 0.1 ln(factor) + 1.
         */
        record Yarn(double factor, double betaFast, double betaSlow, int originalContext, boolean truncate)
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
                case Scaling.Yarn yarn -> yarnFrequency(plain, i, rotated, yarn);
            };
            frequencies[i] = (float) (factors == null ? scaled : scaled / factors[i]);
        }
        float magnitude = scaling instanceof Scaling.Yarn yarn ? (float) (0.1 * StrictMath.log(yarn.factor) + 1) : 1;
        return new Rope(frequencies, magnitude);
    }

    private double yarnFrequency(double plain, int number, int rotated, Scaling.Yarn s) {
        double low = numberThatTurns(s.betaFast, rotated, s);
        double high = numberThatTurns(s.betaSlow, rotated, s);
        if (s.truncate) {
            low = Math.floor(low);
            high = Math.ceil(high);
        }
        low = Math.max(low, 0);
        high = Math.min(high, rotated - 1);
        double ramp = Math.clamp((number - low) / (high == low ? 0.001 : high - low), 0, 1);
        return plain / s.factor * ramp + plain * (1 - ramp);
    }

    /** Which frequency, as a real number, turns so often over the original context. */
    private double numberThatTurns(double times, int rotated, Scaling.Yarn s) {
        return rotated * StrictMath.log(s.originalContext / (times * 2 * Math.PI)) / (2 * StrictMath.log(base));
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
