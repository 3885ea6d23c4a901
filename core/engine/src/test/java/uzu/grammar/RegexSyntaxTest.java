package uzu.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uzu.UzuException;

class RegexSyntaxTest {
    @Test
    void randomExpressionsMatchWhereJavasDo() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        int matches = 0;
        for (int i = 0; i < 3000; i++) {
            String expression = new RandomRegex(random).choice(3);
            Pattern java = Pattern.compile(expression);
            Syntax search;
            Syntax whole;
            try {
                search = RegexSyntax.search(expression);
                whole = RegexSyntax.whole(expression);
            } catch (UzuException.GrammarUnsupported unsupported) {
                assertTrue(unsupported.getMessage().contains("repetition"), unsupported::getMessage);
                continue;
            }
            for (int k = 0; k < 20; k++) {
                String text = text(random);
                boolean found = java.matcher(text).find();
                matches += found ? 1 : 0;
                assertEquals(
                        found,
                        SyntaxMatcher.accepts(search, text),
                        () -> expression + " in " + text + ", seed " + seed);
                assertEquals(
                        java.matcher(text).matches(),
                        SyntaxMatcher.accepts(whole, text),
                        () -> expression + " as " + text + ", seed " + seed);
            }
        }
        assertTrue(matches > 10_000, "the texts hardly ever match: " + matches);
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(7); i > 0; i--) {
            text.append("aab-é".charAt(random.nextInt(5)));
        }
        return text.toString();
    }

    private record RandomRegex(Random random) {
        String choice(int depth) {
            StringBuilder out = new StringBuilder(sequence(depth));
            while (random.nextInt(4) == 0) {
                out.append('|').append(sequence(depth));
            }
            return out.toString();
        }

        private String sequence(int depth) {
            StringBuilder out = new StringBuilder();
            for (int i = random.nextInt(4); i > 0; i--) {
                out.append(part(depth));
            }
            return out.toString();
        }

        private String part(int depth) {
            return switch (random.nextInt(depth > 0 ? 15 : 10)) {
                case 0 -> "^";
                case 1 -> "$";
                case 2 -> random.nextBoolean() ? "\\b" : "\\B";
                case 3, 4 -> "a" + count();
                case 5 -> "b" + count();
                case 6 -> "." + count();
                case 7 -> "[^a]" + count();
                case 8 -> "\\w" + count();
                case 9 -> "[a-b-]" + count();
                case 10 -> "(?=" + choice(depth - 1) + ")";
                case 11 -> "(?!" + choice(depth - 1) + ")";
                case 12 -> "(" + choice(depth - 1) + ")";
                // Java ends a repetition at an empty turn, even before its least number of turns
                default ->
                    "(" + "ab.".charAt(random.nextInt(3)) + sequence(depth - 1) + "|b" + sequence(depth - 1) + ")"
                            + count();
            };
        }

        private String count() {
            return switch (random.nextInt(10)) {
                case 0 -> "*";
                case 1 -> "+";
                case 2 -> "?";
                case 3 -> "{2}";
                case 4 -> "{1,3}";
                case 5 -> "{0,}";
                case 6 -> "*?";
                default -> "";
            };
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "^\\p{L}+$ Übung true",
                "^\\p{Lu}\\p{Ll}+$ Übung true",
                "^\\p{Lu}\\p{Ll}+$ übung false",
                "^\\p{Script=Greek}+$ αβγ true",
                "^\\p{sc=Cyrillic}+$ αβγ false",
                "^\\P{ASCII}$ é true",
                "^\\p{Emoji_Presentation}$ \uD83D\uDE80 true",
                "^.$ \uD83D\uDE80 true",
                "^\\u{1F680}$ \uD83D\uDE80 true",
                "^\\uD83D\\uDE80$ \uD83D\uDE80 true",
                "^[\uD83D\uDE80-\uD83D\uDE81]$ \uD83D\uDE81 true",
                "^\\d$ ৪ false",
                "^\\w$ é false",
                "^[\\w-.]+$ a-b.c true",
                "^[a\\-z]+$ a-z true",
                "^[a\\-z]+$ abc false",
                "^[^]$ x true",
                "(?i:straße) STRAßE true",
                "(?i)hello HeLLo true",
                "^(?:(?!--).)*$ a-b-c true",
                "^(?:(?!--).)*$ a--b false",
                "^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{4,}$ abC1 true",
                "^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{4,}$ abc1 false",
                "^(?<year>\\d{4})$ 2026 true",
                "^(?P<year>\\d{4})$ 2026 true",
                "^\\cA$ a false",
                "^\\x41\\u0042$ AB true",
                "^{a}$ {a} true",
                "^a]$ a] true",
                "^[[:]]$ :] true",
            })
    void meansWhatEcmaScriptMeans(String expression, String text, boolean matches) {
        assertEquals(matches, SyntaxMatcher.accepts(RegexSyntax.search(expression), text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "a(b 1", "a)b 1", "a[b 1", "*a 0", "a** 2", "a{3,2} 1", "(a)\\1 3", "(?<=a)b 0", "\\p{Klingon} 0",
                "\\a 0", "a\\ 2", "[b-a] 1", "(?x)a 0", "\\u{110000} 0", "\\ud800 0", "^* 0", "(?<1>a) 0",
                        "a{99999999999} 2",
            })
    void whatIsWrongIsRefusedByPosition(String expression, String position) {
        UzuException refusal = assertThrows(UzuException.GrammarUnsupported.class, () -> RegexSyntax.whole(expression));
        assertEquals(position, refusal.details().get("position"), refusal::getMessage);
        assertTrue(refusal.getMessage().contains(expression), refusal::getMessage);
    }

    @Test
    void groupsAreReadToALimit() {
        assertFalse(SyntaxMatcher.accepts(RegexSyntax.whole("(".repeat(150) + ")".repeat(150)), "x"));
        assertThrows(
                UzuException.GrammarUnsupported.class,
                () -> RegexSyntax.whole("(".repeat(100_000) + ")".repeat(100_000)));
    }

    @Test
    void countsAreNotWrittenOut() {
        assertEquals(
                new Syntax.Repeat(new Syntax.Characters(CodePoints.of('a')), 3, 100_000),
                RegexSyntax.search("^a{3,100000}$"));
    }
}
