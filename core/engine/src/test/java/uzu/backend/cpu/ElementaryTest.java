package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class ElementaryTest {
    private interface FloatFunction {
        float of(float x);
    }

    /** Largest relative error over every {@code step}-th float between the bounds, of one sign. */
    private static double worst(FloatFunction function, DoubleUnaryOperator exact, float low, float high, int step) {
        double worst = 0;
        for (int bits = Float.floatToIntBits(low); bits < Float.floatToIntBits(high); bits += step) {
            float x = Float.intBitsToFloat(bits);
            double expected = exact.applyAsDouble(x);
            worst = Math.max(worst, Math.abs(function.of(x) - expected) / Math.abs(expected));
        }
        return worst;
    }

    @Test
    void expIsWithinItsBound() {
        assertTrue(worst(Elementary::exp, Math::exp, 1e-8f, Elementary.EXP_TOP, 997) < 1.2e-7);
        assertTrue(worst(x -> Elementary.exp(-x), x -> Math.exp(-x), 1e-8f, -Elementary.EXP_ZERO, 997) < 1.2e-7);
    }

    @Test
    void tanhIsWithinItsBound() {
        assertTrue(worst(Elementary::tanh, Math::tanh, 1e-8f, 50, 997) < 2.5e-7);
        assertTrue(worst(x -> Elementary.tanh(-x), x -> Math.tanh(-x), 1e-8f, 50, 997) < 2.5e-7);
    }

    @Test
    void theEdgesAreExact() {
        assertEquals(1f, Elementary.exp(0));
        assertEquals(1f, Elementary.exp(-0f));
        assertEquals(0f, Elementary.exp(-87));
        assertEquals(0f, Elementary.exp(Float.NEGATIVE_INFINITY));
        assertEquals(Elementary.exp(88), Elementary.exp(Float.POSITIVE_INFINITY));
        assertEquals(1f, Elementary.tanh(100));
        assertEquals(-1f, Elementary.tanh(Float.NEGATIVE_INFINITY));
        assertTrue(Float.isNaN(Elementary.exp(Float.NaN)));
    }
}
