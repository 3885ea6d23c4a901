package uzu;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class PartialJsonTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "`` | null",
                "{ | {}",
                "{\"a | {}",
                "{\"a\" | {}",
                "{\"a\": | {}",
                "{\"a\": 1 | {\"a\": 1}",
                "{\"a\": 1, | {\"a\": 1}",
                "{\"a\": 1, \"b\": tr | {\"a\": 1}",
                "{\"a\": \"x | {\"a\": \"x\"}",
                "{\"a\": \"x\\ | {\"a\": \"x\"}",
                "{\"a\": \"x\\u00e | {\"a\": \"x\"}",
                "{\"a\": \"x\\ud83d\\ude | {\"a\": \"x\"}",
                "[1, [2, {\"k\": [ | [1, [2, {\"k\": []}]]",
                "[-  | []",
                "[1.5e | [1.5]",
                "[\"a\"] | [\"a\"]",
                "tru | null",
                "true | true",
                "\"ab | \"ab\"",
            })
    void whatIsOpenIsClosed(String cut, String completed) {
        assertEquals(completed, PartialJson.complete(cut));
    }

    @Test
    void everyBeginningBecomesJson() {
        String text =
                "{\"a\": [1, -2.5e3, {\"b\\n\": \"\\ud83d\\ude00\uD83D\uDE00\", \"c\": {}}, [], null, true], \"d\": \"\"}";
        JsonMapper json = new JsonMapper();
        for (int end = 0; end <= text.length(); end++) {
            String completed = PartialJson.complete(text.substring(0, end));
            assertDoesNotThrow(() -> json.readTree(completed), completed);
        }
        assertEquals(text, PartialJson.complete(text));
    }

    @Test
    void depthIsNoLimit() {
        assertEquals("[".repeat(100_000) + "]".repeat(100_000), PartialJson.complete("[".repeat(100_000)));
    }
}
