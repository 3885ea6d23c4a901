package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OccurrencesTest {
    private final Occurrences occurrences = new Occurrences();

    @Test
    void aConversationIsFollowedAndTakenBack() {
        occurrences.follow(Spelled.path(5, 6, 5));
        occurrences.follow(Spelled.path(5, 6, 5, 5));
        assertEquals(Math.log(4), occurrences.logOf(5), 1e-6);
        occurrences.truncate(2);
        assertEquals(Math.log(2), occurrences.logOf(5), 1e-6);
        occurrences.follow(Spelled.path(5, 6, 7));
        assertEquals(Math.log(2), occurrences.logOf(5), 1e-6);
        assertEquals(Math.log(2), occurrences.logOf(7), 1e-6);
        assertEquals(0, occurrences.logOf(8));
    }
}
