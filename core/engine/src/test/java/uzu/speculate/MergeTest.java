package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MergeTest {
    private final Merge merge = new Merge();
    private final Calibration none = new Calibration();

    @Test
    void whatTheFirstLeavesIsTheNextOnes() {
        merge.add(Spelled.proposals(1, 0.6, 2, 0.2), none);
        merge.add(Spelled.proposals(2, 0.5, 3, 0.25), none);
        merge.finish(Conditions.GREEDY, 7);
        assertEquals("1:0.600 2:0.300 3:0.050", spelled());
    }

    @Test
    void aDrafterThatKnowsNothingLeavesAll() {
        merge.add(new Proposals(), none);
        merge.add(Spelled.proposals(2, 0.5), none);
        merge.finish(Conditions.GREEDY, 7);
        assertEquals("2:0.500", spelled());
    }

    @Test
    void chancesAreNoMoreThanCertainty() {
        merge.add(Spelled.proposals(1, 0.9, 2, 0.6), none);
        merge.add(Spelled.proposals(3, 0.5), none);
        merge.finish(Conditions.GREEDY, 7);
        assertEquals("1:0.600 2:0.400 3:0.000", spelled());
    }

    @Test
    void knownNoiseTurnsChancesIntoNearCertainty() {
        merge.add(Spelled.proposals(1, 0.5, 2, 0.4), none);
        Conditions conditions = new Conditions(1, (position, token) -> position == 8 && token == 2 ? 5 : 0);
        merge.finish(conditions, 8);
        assertEquals(1, merge.token(0));
        assertTrue(merge.probability(0) < 0.05, spelled());
        assertTrue(merge.probability(1) > 0.9, spelled());
    }

    private String spelled() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < merge.size(); i++) {
            all.append(i == 0 ? "" : " ").append("%d:%.3f".formatted(merge.token(i), merge.probability(i)));
        }
        return all.toString();
    }
}
