package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FloatExpTest {
    @Test
    void agreesWithTheExponentialFunction() {
        for (float x = 0; x > -87; x -= 0.000_37f) {
            double exact = StrictMath.exp(x);
            assertEquals(exact, FloatExp.of(x), 3e-7 * exact, "x = " + x);
        }
    }

    @Test
    void isExactlyOneAtZeroAndZeroFarBelow() {
        assertEquals(1f, FloatExp.of(0));
        assertEquals(0f, FloatExp.of(-88));
        assertEquals(0f, FloatExp.of(Float.NEGATIVE_INFINITY));
    }
}
