package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class StopStringsTest {
    @Test
    void theTextBeforeTheStopIsTheSameHoweverItIsCut() {
        String text = "one aabaabaac two";
        for (int first = 0; first <= text.length(); first++) {
            for (int second = first; second <= text.length(); second++) {
                StopStrings stops = new StopStrings(List.of("aabaac", "zzz"));
                String shown = stops.next(text.substring(0, first))
                        + stops.next(text.substring(first, second))
                        + stops.next(text.substring(second));
                assertTrue(stops.found());
                assertEquals("one aab", shown + stops.flush(), "cut at " + first + " and " + second);
            }
        }
    }

    @Test
    void theStopThatEndsFirstWinsAndOfSeveralTheLongest() {
        assertEquals("x", shown(List.of("abc", "b"), "xabc").substring(0, 1));
        assertEquals("xa", shown(List.of("abc", "b"), "xabc"));
        assertEquals("x", shown(List.of("b", "ab"), "xabc"));
    }

    @Test
    void onlyWhatMayBecomeAStopIsHeldBack() {
        StopStrings stops = new StopStrings(List.of("END"));
        assertEquals("text ", stops.next("text E"));
        assertEquals("", stops.next("N"));
        assertEquals("ENx", stops.next("x"));
        assertEquals("", stops.next("EN"));
        assertEquals("EN", stops.flush());
        assertFalse(stops.found());
    }

    private static String shown(List<String> stops, String text) {
        return new StopStrings(stops).next(text);
    }
}
