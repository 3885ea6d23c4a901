package uzu.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
}
