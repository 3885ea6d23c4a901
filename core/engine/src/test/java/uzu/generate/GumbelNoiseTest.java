package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class GumbelNoiseTest {
    @Test
    void theBoundIsNeverBelowTheNoise() {
        Random random = new Random(1);
        for (int i = 0; i < 1_000_000; i++) {
            int word = i < 4096 ? ~(i << 8) : i < 8192 ? i << 8 : random.nextInt();
            double noise = GumbelNoise.ofWord(word);
            assertTrue(GumbelNoise.boundOfWord(word) >= noise, () -> Integer.toHexString(word));
            assertTrue(noise <= GumbelNoise.MAXIMUM && noise > -3, () -> Integer.toHexString(word));
        }
    }

    @Test
    void meanAndVarianceAreThoseOfTheGumbelDistribution() {
        double sum = 0;
        double squares = 0;
        int n = 400_000;
        for (int i = 0; i < n; i++) {
            double noise = GumbelNoise.of(7, i / 1000, i % 1000);
            sum += noise;
            squares += noise * noise;
        }
        double mean = sum / n;
        assertEquals(0.57722, mean, 0.01);
        assertEquals(Math.PI * Math.PI / 6, squares / n - mean * mean, 0.02);
    }
}
