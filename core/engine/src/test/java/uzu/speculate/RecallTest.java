package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecallTest {
    private final Recall recall = new Recall();

    @Test
    void whatWasSaidInAnotherConversationIsProposed() {
        say(recall.proposer(), 2, 1, 2, 3, 4, 5);
        assertEquals("5:0.464", Spelled.proposed(recall.proposer(), 9, 2, 3, 4));
        assertEquals("4:0.360", Spelled.proposed(recall.proposer(), 2, 3));
    }

    @Test
    void theFirstWordsOfAReplyAreFoundByTheEndOfItsPrompt() {
        say(recall.proposer(), 5, 6, 7, 8, 9, 10, 20, 21);
        assertEquals("20:0.464", Spelled.proposed(recall.proposer(), 5, 8, 9, 10));
    }

    @Test
    void whatWasSaidMoreOftenIsSurer() {
        say(recall.proposer(), 0, 1, 2, 3);
        say(recall.proposer(), 0, 1, 2, 3);
        assertEquals("3:0.552", Spelled.proposed(recall.proposer(), 1, 2));
        say(recall.proposer(), 0, 1, 2, 4);
        assertEquals("4:0.144 3:0.232", Spelled.proposed(recall.proposer(), 1, 2));
    }

    @Test
    void aConversationDoesNotRecallItself() {
        Proposer proposer = recall.proposer();
        say(proposer, 0, 1, 2, 3);
        proposer.reply(3);
        assertEquals("", Spelled.proposed(proposer, 1, 2, 3, 1, 2));
        assertEquals("3:0.360", Spelled.proposed(recall.proposer(), 1, 2));
    }

    @Test
    void aReplyIsKnownWhenItsConversationGoesOn() {
        Proposer proposer = recall.proposer();
        proposer.reply(0);
        proposer.begin(Spelled.path(1, 2, 3), Conditions.GREEDY);
        assertEquals("", Spelled.proposed(recall.proposer(), 1, 2));
        proposer.reply(3);
        assertEquals("3:0.360", Spelled.proposed(recall.proposer(), 1, 2));
    }

    @Test
    void whatWasTakenBackWasSaidAllTheSame() {
        Proposer proposer = recall.proposer();
        proposer.reply(0);
        proposer.begin(Spelled.path(1, 2, 3, 4), Conditions.GREEDY);
        proposer.truncate(2);
        proposer.reply(2);
        proposer.begin(Spelled.path(1, 2, 5), Conditions.GREEDY);
        proposer.close();
        assertEquals("5:0.168 3:0.192", Spelled.proposed(recall.proposer(), 1, 2));
        assertEquals("4:0.360", Spelled.proposed(recall.proposer(), 2, 3));
    }

    @Test
    void nothingIsReadAcrossTheEndOfAReply() {
        say(recall.proposer(), 0, 1, 2);
        say(recall.proposer(), 0, 3, 4, 5);
        assertEquals("", Spelled.proposed(recall.proposer(), 1, 2));
        assertEquals("", Spelled.proposed(recall.proposer(), 2, 3));
    }

    @Test
    void theOldestIsForgotten() {
        say(recall.proposer(), 0, 1, 2, 3);
        int[] much = IntStream.range(10, 30_010).toArray();
        say(recall.proposer(), 0, much);
        assertEquals("3:0.360", Spelled.proposed(recall.proposer(), 1, 2));
        say(recall.proposer(), 0, much);
        say(recall.proposer(), 0, much);
        assertEquals("", Spelled.proposed(recall.proposer(), 1, 2));
        assertEquals("30009:0.688", Spelled.proposed(recall.proposer(), 30_007, 30_008));
    }

    @Test
    void ofAReplyLongerThanTheRoomTheEndIsKept() {
        say(recall.proposer(), 0, IntStream.range(10, 200_010).toArray());
        assertEquals("200009:0.360", Spelled.proposed(recall.proposer(), 200_007, 200_008));
        assertEquals("", Spelled.proposed(recall.proposer(), 11, 12));
    }

    private static void say(Proposer proposer, int start, int... ids) {
        proposer.reply(start);
        proposer.begin(Spelled.path(ids), Conditions.GREEDY);
        proposer.close();
    }
}
