package uzu.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.UzuException;

class ArgumentsTest {
    private static Arguments of(String... words) {
        return new Arguments(List.of(words));
    }

    @Test
    void readsOptionsInBothSpellingsAndCounts() {
        Arguments arguments = of("model", "--tokens=12", "--peer", "program");
        assertEquals("model", arguments.positional("MODEL"));
        assertEquals(12, arguments.count("tokens", 2000));
        assertEquals(5, arguments.count("runs", 5));
        assertEquals("program", arguments.option("peer", ""));
        arguments.finish();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-3", "many", "1.5", "99999999999", ""})
    void aCountThatIsNoneIsNamed(String value) {
        var failure = assertThrows(
                UzuException.InvalidArgument.class,
                () -> of("--tokens=" + value).count("tokens", 1));
        assertEquals("--tokens needs a whole number from 1 on, not " + value, failure.getMessage());
    }

    @Test
    void whatNoOneAskedForIsNamed() {
        Arguments arguments = of("model", "--frobnicate", "1");
        arguments.positional("MODEL");
        var failure = assertThrows(UzuException.InvalidArgument.class, arguments::finish);
        assertEquals("unknown option --frobnicate", failure.getMessage());
    }

    @Test
    void countsHaveCommasBetween() {
        assertArrayEquals(new int[] {1, 2, 16}, of("--rows=1,2,16").counts("rows", "1"));
        assertArrayEquals(new int[] {4}, of().counts("rows", "4"));
        assertArrayEquals(new int[0], of("--rows", "none").counts("rows", "4"));
        var failure = assertThrows(
                UzuException.InvalidArgument.class, () -> of("--rows=1,,2").counts("rows", "1"));
        assertEquals("--rows needs whole numbers with commas between, or none, not 1,,2", failure.getMessage());
    }

    @Test
    void severalModelsAreTakenTogether() {
        assertEquals(List.of("a", "b"), of("a", "--rounds", "2", "b").positionals("MODEL"));
        var failure = assertThrows(UzuException.InvalidArgument.class, () -> of().positionals("MODEL"));
        assertEquals("MODEL is missing", failure.getMessage());
    }

    @Test
    void yesAndNoAreWords() {
        assertTrue(of("--start=yes").yes("start", false));
        assertFalse(of().yes("start", false));
        var failure = assertThrows(
                UzuException.InvalidArgument.class, () -> of("--start=maybe").yes("start", false));
        assertEquals("--start needs yes or no, not maybe", failure.getMessage());
    }
}
