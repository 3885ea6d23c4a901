package uzu.app.speculation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TrialTest {
    @Test
    void everyPairOfValuesOccurs() {
        List<Trial> trials = Trial.of(60, 6);
        assertEquals(60, trials.stream().map(Trial::number).distinct().count());
        assertEquals(0, Trial.missingPairs(trials, 6));
        assertTrue(Trial.missingPairs(trials.subList(0, 20), 6) > 0);
    }

    @Test
    void trialsOfAnEngineFollowEachOther() {
        List<String> engines = Trial.of(60, 6).stream().map(Trial::engine).toList();
        for (int i = 1; i < engines.size(); i++) {
            boolean begins = !engines.get(i).equals(engines.get(i - 1));
            assertTrue(!begins || !engines.subList(0, i).contains(engines.get(i)), engines::toString);
        }
    }
}
