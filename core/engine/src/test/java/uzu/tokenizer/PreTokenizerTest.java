package uzu.tokenizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.tokenizer.PreTokenizer.Behavior;
import uzu.tokenizer.PreTokenizer.Stage;

class PreTokenizerTest {
    private static List<String> split(PreTokenizer preTokenizer, String text) {
        List<String> pieces = new ArrayList<>();
        preTokenizer.split(text, (whole, from, to) -> pieces.add(whole.substring(from, to)));
        return pieces;
    }

    // The example of the tokenizers library's documentation of its behaviors.
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "REMOVED; the|final|countdown",
                "ISOLATED; the|-|final|-|-|countdown",
                "MERGED_WITH_PREVIOUS; the-|final-|-|countdown",
                "MERGED_WITH_NEXT; the|-final|-|-countdown",
                "CONTIGUOUS; the|-|final|--|countdown"
            })
    void keepsMatchesAsTheBehaviorSays(Behavior behavior, String expected) {
        var preTokenizer = new PreTokenizer(List.of(new Stage(Regex.compile("-"), behavior, false)));
        assertEquals(expected, String.join("|", split(preTokenizer, "the-final--countdown")));
    }

    @Test
    void qwenSplitsDigitsAndKeepsSpacesWithWords() {
        assertEquals(
                List.of("I", "'M", " ", " here", " ", "1", "2", "\n\n", "ok", "!!", "  "),
                split(GgufPreTokenizers.named("qwen2"), "I'M  here 12\n\nok!!  "));
    }

    @Test
    void llama3GroupsDigitsByThree() {
        assertEquals(List.of("123", "456", "7", "+x"), split(GgufPreTokenizers.named("llama-bpe"), "1234567+x"));
    }

    @Test
    void smollmIsolatesDigitsBeforeWords() {
        assertEquals(
                List.of("a", "1", "2", "b", " ", "3", " it", "'s"),
                split(GgufPreTokenizers.named("smollm"), "a12b 3 it's"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a|b)*", "(?:ab)+c", "(a){3}", "\\h+", "a\\Kb", "[a", "\\p{Nonsense}"})
    void refusesExpressionsItCannotRunSafely(String regex) {
        assertThrows(IllegalArgumentException.class, () -> Regex.compile(regex));
    }

    @Test
    void readsOnigurumasSpellings() {
        assertEquals(
                List.of("漢字", "kana"),
                split(new PreTokenizer(List.of(Stage.isolated(Regex.compile("\\p{Han}+|[)*]+")))), "漢字kana"));
        assertEquals(
                List.of("漢字", "kana"),
                split(new PreTokenizer(List.of(Stage.isolated(Regex.compile("\\p{^Han}+")))), "漢字kana"));
    }
}
