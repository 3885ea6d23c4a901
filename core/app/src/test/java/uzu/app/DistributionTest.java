package uzu.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DistributionTest {
    private static Distribution of(double... probabilities) {
        Distribution distribution = new Distribution(probabilities.length);
        for (int i = 0; i < probabilities.length; i++) {
            distribution.logits()[i] = (float) (3 + Math.log(probabilities[i]));
        }
        distribution.update();
        return distribution;
    }

    @Test
    void knowsTheLikeliestAndItsMargin() {
        Distribution distribution = of(0.25, 0.5, 0.125, 0.125);
        assertEquals(1, distribution.best());
        assertEquals(0, distribution.second());
        assertEquals(Math.log(2), distribution.margin(), 1e-6);
        assertEquals(Math.log(0.125), distribution.logProbability(2), 1e-6);
    }

    @Test
    void theFirstOfEqualsIsTheLikeliest() {
        Distribution distribution = of(0.2, 0.4, 0.4);
        assertEquals(1, distribution.best());
        assertEquals(0, distribution.margin());
    }

    @Test
    void divergesFromAnotherButNotFromItself() {
        assertEquals(0, of(0.5, 0.5).divergenceFrom(of(0.5, 0.5)), 1e-12);
        assertEquals(0.5 * Math.log(2) + 0.5 * Math.log(2.0 / 3), of(0.5, 0.5).divergenceFrom(of(0.25, 0.75)), 1e-6);
    }
}
