package uzu.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import uzu.UzuException;

class QualityTest {
    private static String refusal(String... words) {
        return assertThrows(
                        UzuException.InvalidArgument.class,
                        () -> new Quality(System.out).run(new Arguments(List.of(words))))
                .getMessage();
    }

    @Test
    void aLimitNeedsAPeer() {
        assertEquals("--limit compares with a peer: name one with --peer", refusal("no-such-model", "--limit", "1.05"));
    }

    @Test
    void aLimitIsANumber() {
        assertEquals(
                "--limit needs a number such as 1.05, not low",
                refusal("no-such-model", "--peer", "program", "--limit", "low"));
    }
}
