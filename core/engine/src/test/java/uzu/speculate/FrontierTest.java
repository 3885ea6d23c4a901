package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrontierTest {
    private final Frontier frontier = new Frontier();

    @Test
    void theLikeliestComesFirstWithItsParentAndToken() {
        frontier.push(0, 10, 0.2f);
        frontier.push(1, 11, 0.5f);
        frontier.push(2, 12, 0.3f);
        assertTrue(frontier.pop());
        assertEquals(1, frontier.parent());
        assertEquals(11, frontier.token());
        assertEquals(0.5f, frontier.probability());
        assertTrue(frontier.pop());
        assertEquals(12, frontier.token());
        assertTrue(frontier.pop());
        assertEquals(10, frontier.token());
        assertFalse(frontier.pop());
    }

    @Test
    void anyOrderOfManyComesOutSorted() {
        SplittableRandom random = new SplittableRandom(20261129);
        PriorityQueue<Float> expected = new PriorityQueue<>((a, b) -> Float.compare(b, a));
        for (int i = 0; i < 5000; i++) {
            if (random.nextInt(3) > 0) {
                float probability = random.nextInt(1000) / 1000f;
                frontier.push(i, (int) (probability * 1000), probability);
                expected.add(probability);
            } else if (!expected.isEmpty()) {
                assertTrue(frontier.pop());
                assertEquals(expected.remove(), frontier.probability());
                assertEquals((int) (frontier.probability() * 1000), frontier.token());
            }
        }
    }
}
