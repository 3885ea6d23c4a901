package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CalibrationTest {
    private final Calibration calibration = new Calibration();

    @Test
    void aDraftersWordCountsAtFirst() {
        assertEquals(0.3f, calibration.of(0.3f), 1e-6);
        assertEquals(0.9999f, calibration.of(1), 1e-6);
        assertEquals(1e-4f, calibration.of(0), 1e-6);
    }

    @Test
    void whatHappensCountsMoreAndMore() {
        for (int i = 0; i < 240; i++) {
            calibration.observe(0.5f, i % 4 == 0);
        }
        assertEquals(0.27, calibration.of(0.5f), 0.02);
        for (int i = 0; i < 3000; i++) {
            calibration.observe(0.5f, i % 5 != 0);
        }
        assertEquals(0.79, calibration.of(0.5f), 0.02);
    }

    @Test
    void probabilitiesOfABucketKeepTheirOrder() {
        for (int i = 0; i < 200; i++) {
            calibration.observe(0.45f, i % 10 == 0);
        }
        assertTrue(calibration.of(0.45f) < calibration.of(0.5f));
        assertTrue(calibration.of(0.5f) < 0.25f);
        assertEquals(0.05f, calibration.of(0.05f), 1e-6);
    }
}
