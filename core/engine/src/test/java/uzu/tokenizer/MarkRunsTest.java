package uzu.tokenizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MarkRunsTest {
    @Test
    void orderingKeepsTheNormalForms() {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        int[][] blocks = {
            {0x300, 0x370}, {0x591, 0x5BE}, {0x64B, 0x660}, {0x1DC0, 0x1DF6}, {0x20D0, 0x20F1}, {0x61, 0x63}
        };
        for (int i = 0; i < 300; i++) {
            StringBuilder text = new StringBuilder("x");
            for (int n = random.nextInt(250); n > 0; n--) {
                // A letter now and then, so that runs of all lengths occur.
                int[] block = blocks[random.nextInt(100) == 0 ? 5 : random.nextInt(5)];
                text.appendCodePoint(random.nextInt(block[0], block[1]));
            }
            String plain = text.toString();
            for (Form form : Form.values()) {
                assertEquals(
                        Normalizer.normalize(plain, form),
                        Normalizer.normalize(MarkRuns.ordered(plain), form),
                        () -> "seed " + seed);
            }
        }
    }

    @Test
    void shortRunsStayAsTheyAre() {
        String text = "a\u0301\u0316" + "b".repeat(100);
        assertSame(text, MarkRuns.ordered(text));
    }

    @Test
    void aTextOfMarksIsNormalizedInLinearTime() {
        String text = "a" + "\u0301\u0316".repeat(500_000);
        String expected = "\u00E1" + "\u0316".repeat(500_000) + "\u0301".repeat(499_999);
        var step = new uzu.tokenizer.Normalizer.Unicode(Form.NFC);
        assertEquals(expected, assertTimeoutPreemptively(Duration.ofSeconds(60), () -> step.apply(text)));
    }
}
