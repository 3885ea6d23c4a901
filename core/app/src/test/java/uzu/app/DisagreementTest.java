package uzu.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DisagreementTest {
    @Test
    void isWhatTheDifferencesOfTwoLogitsDifferBy() {
        float[] ours = {1, 4, 2.5f};
        float[] theirs = {7, 9, 8.75f};
        assertEquals(1.25, Disagreement.about(1, 2, ours, theirs));
        assertEquals(-1.25, Disagreement.about(2, 1, ours, theirs));
        assertEquals(0, Disagreement.about(0, 0, ours, theirs));
    }

    @Test
    void theTypicalOneIsTheRootOfTheMeanSquare() {
        Disagreement noise = new Disagreement();
        noise.add(3);
        noise.add(-4);
        noise.add(0);
        assertEquals(Math.sqrt(25 / 3.0), noise.typical(), 1e-12);
        assertEquals(3, noise.positions());
    }

    @Test
    void beforeTheFirstPositionThereIsNone() {
        assertEquals(Double.NaN, new Disagreement().typical());
    }
}
