package uzu.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void theMedianOfAnOddCountIsTheMiddleOne() {
        assertEquals(new Spread(1, 3, 9), Spread.of(9, 1, 3));
    }

    @Test
    void theMedianOfAnEvenCountIsBetweenTheMiddleTwo() {
        assertEquals(new Spread(1, 2.5, 9), Spread.of(9, 1, 3, 2));
    }

    @Test
    void valuesStayWhereTheyAre() {
        double[] values = {3, 1, 2};
        Spread.of(values);
        assertEquals(3, values[0]);
    }
}
