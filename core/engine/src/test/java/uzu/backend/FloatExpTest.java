package uzu.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class FloatExpTest {
    @Test
    void agreesWithTheExponentialFunction() {
        for (float x = 0; x > -32; x -= 0.000_37f) {
            double exact = StrictMath.exp(x);
            assertEquals(exact, FloatExp.of(x), 1e-5 * exact, "x = " + x);
        }
    }

    @Test
    void isExactlyOneAtZeroAndNextToNothingFarBelow() {
        assertEquals(1f, FloatExp.of(0));
        assertEquals(1.2664e-14, FloatExp.of(-50), 1e-18);
        assertEquals(1.2664e-14, FloatExp.of(Float.NEGATIVE_INFINITY), 1e-18);
    }

    @Test
    void aWholeArrayGetsTheSameBitsAsOneNumber() {
        Random random = new Random(3);
        float[] x = new float[1003];
        float[] out = new float[1003];
        for (int round = 0; round < 2000; round++) {
            for (int i = 0; i < x.length; i++) {
                x[i] = -40 * random.nextFloat();
            }
            double sum = FloatExp.all(x, 1.5f, out, x.length);
            double expected = 0;
            for (int i = 0; i < x.length; i++) {
                assertEquals(FloatExp.of(x[i] - 1.5f), out[i]);
                expected += out[i];
            }
            assertEquals(expected, sum, 1e-9 * expected);
        }
    }
}
