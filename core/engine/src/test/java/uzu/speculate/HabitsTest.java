package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HabitsTest {
    private record At(long place, int refused) implements Constraint {
        @Override
        public boolean accepts(int token) {
            return token != refused;
        }

        @Override
        public Constraint after(int token) {
            return this;
        }
    }

    private final Habits habits = new Habits();
    private final Merge merge = new Merge();

    @Test
    void whatWasDrawnAtAPlaceIsProposedThereInTheNextReplyToo() {
        habits.drawn(new At(1, -1), 7, 0);
        propose(new At(1, -1), 1);
        assertEquals(1, merge.size());
        assertEquals(7, merge.token(0));
        assertTrue(merge.probability(0) > 0.5, "chance " + merge.probability(0));
    }

    @Test
    void theLatestCountsMost() {
        for (int token : new int[] {7, 7, 7, 8, 8}) {
            habits.drawn(new At(1, -1), token, 0);
        }
        propose(new At(1, -1), 0);
        assertEquals(2, merge.size());
        float of7 = merge.probability(merge.token(0) == 7 ? 0 : 1);
        float of8 = merge.probability(merge.token(0) == 8 ? 0 : 1);
        assertTrue(of8 > of7, of8 + " and " + of7);
    }

    @Test
    void ofManyTokensTheRarestAreForgotten() {
        for (int token : new int[] {7, 7, 8, 8, 9, 10}) {
            habits.drawn(new At(1, -1), token, 0);
        }
        propose(new At(1, -1), 0);
        assertEquals(3, merge.size());
        for (int i = 0; i < 3; i++) {
            assertTrue(merge.token(i) > 7, "token " + merge.token(i));
        }
    }

    @Test
    void whatTheGrammarRefusesIsNotProposed() {
        habits.drawn(new At(1, -1), 7, 0);
        propose(new At(1, 7), 0);
        assertEquals(0, merge.size());
    }

    @Test
    void withoutAPlaceNothingIsRemembered() {
        habits.drawn(new At(-1, -1), 7, 0);
        propose(new At(-1, -1), 0);
        assertEquals(0, merge.size());
    }

    private void propose(Constraint constraint, long reply) {
        merge.clear();
        habits.propose(constraint, reply, merge);
    }
}
