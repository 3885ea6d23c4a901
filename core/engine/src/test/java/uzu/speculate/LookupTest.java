package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LookupTest {
    private final Proposer lookup = new Lookup().proposer();

    @Test
    void whatFollowedTheLongestMatchComesFirst() {
        // 1 2 was followed by 3; 2 alone also by 4, later.
        assertEquals("3:0.450 4:0.050", Spelled.proposed(lookup, 1, 2, 3, 9, 2, 4, 1, 2));
    }

    @Test
    void whatAlwaysFollowedIsSurerThanWhatFollowedOnce() {
        assertEquals("2:0.230", Spelled.proposed(lookup, 1, 2, 8, 1));
        assertEquals("2:0.410", Spelled.proposed(new Lookup().proposer(), 1, 2, 8, 1, 2, 9, 1));
        assertEquals("5:0.130 2:0.090", Spelled.proposed(new Lookup().proposer(), 1, 2, 8, 1, 5, 9, 1));
    }

    @Test
    void draftedTokensAreMatchedToo() {
        Draft draft = new Draft(3, 1);
        draft.begin(1);
        lookup.begin(Spelled.path(1, 2, 3, 4, 9, 1), Conditions.GREEDY);
        int second = draft.add(0, 2, 0.5f);
        int third = draft.add(second, 3, 0.5f);
        assertEquals("4:0.580", Spelled.proposed(lookup, draft, third));
    }

    @Test
    void theLastTokensAreNoMatchOfThemselves() {
        assertEquals("", Spelled.proposed(lookup, 1, 2, 3));
        assertEquals("7:0.230", Spelled.proposed(new Lookup().proposer(), 7, 7));
    }

    @Test
    void anIndexThatWasCutAndGrewIsAsAFreshOne() {
        long seed = 20261129;
        SplittableRandom random = new SplittableRandom(seed);
        int[] path = new int[0];
        for (int round = 0; round < 300; round++) {
            int kept = random.nextInt(path.length + 1);
            int[] next = Arrays.copyOf(path, kept + 1 + random.nextInt(40));
            for (int i = kept; i < next.length; i++) {
                next[i] = random.nextInt(6);
            }
            path = next;
            if (random.nextBoolean()) {
                lookup.truncate(kept);
                assertEquals(
                        Spelled.proposed(new Lookup().proposer(), path),
                        Spelled.proposed(lookup, path),
                        "round " + round + " of seed " + seed);
            } else {
                lookup.truncate(0);
                Spelled.proposed(lookup, path);
            }
        }
    }
}
