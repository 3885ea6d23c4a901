package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class FixedValuesTest {
    private static final int END = 99;

    private final FixedValues values = new FixedValues(
            List.of(new int[] {5, 6, END}, new int[] {5, 7, 8, END}, new int[] {4, END}, new int[] {5, 6, 1, END}));

    @Test
    void aReplyIsOneOfTheValuesFromItsBeginningOn() {
        Proposer proposer = values.proposer();
        proposer.reply(2);
        assertEquals("5:0.712 4:0.237", Spelled.proposed(proposer, 5, 5));
        assertEquals("6:0.633 7:0.317", Spelled.proposed(proposer, 5, 5, 5));
        assertEquals("1:0.475 99:0.475", Spelled.proposed(proposer, 5, 5, 5, 6));
        assertEquals("99:0.950", Spelled.proposed(proposer, 5, 5, 5, 7, 8));
        assertEquals("", Spelled.proposed(proposer, 5, 5, 5, 7, 8, END));
        assertEquals("", Spelled.proposed(proposer, 5, 5, 3));
    }

    @Test
    void draftedTokensAreOfTheReply() {
        Proposer proposer = values.proposer();
        proposer.reply(2);
        proposer.begin(Spelled.path(1, 1, 5), Conditions.GREEDY);
        Draft draft = new Draft(4, 1);
        draft.begin(5);
        int seven = draft.add(0, 7, 0.3f);
        int eight = draft.add(seven, 8, 0.3f);
        int wrong = draft.add(0, 1, 0.1f);
        assertEquals("8:0.950", Spelled.proposed(proposer, draft, seven));
        assertEquals("99:0.950", Spelled.proposed(proposer, draft, eight));
        assertEquals("", Spelled.proposed(proposer, draft, wrong));
        assertEquals("6:0.633 7:0.317", Spelled.proposed(proposer, draft, 0));
    }

    @Test
    void ofManyValuesTheTokensOfMostAreProposed() {
        int[][] many = new int[30][];
        for (int i = 0; i < 20; i++) {
            many[i] = new int[] {i, END};
        }
        for (int i = 20; i < 30; i++) {
            many[i] = new int[] {15, i};
        }
        Proposer proposer = new FixedValues(List.of(many)).proposer();
        proposer.reply(1);
        assertEquals("15:0.348 0:0.032 1:0.032 2:0.032 3:0.032 4:0.032 5:0.032 6:0.032", Spelled.proposed(proposer, 0));
    }
}
