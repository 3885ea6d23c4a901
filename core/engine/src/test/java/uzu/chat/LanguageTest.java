package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import uzu.UzuException;

/** Small templates for every corner of the language, with what jinja2 3.1.6, set up as transformers does, makes of them. */
class LanguageTest {
    private static final Clock CLOCK =
            Clock.fixed(LocalDateTime.of(2026, 1, 5, 9, 7, 3).toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
    /** Errors whose text is the same as jinja2's, not only the fact. */
    private static final Pattern SAME_TEXT = Pattern.compile("(?:UndefinedError|TemplateError|SecurityError): (.*)");

    @TestFactory
    Stream<DynamicTest> rendersAsJinja2() throws IOException {
        JsonNode language = Json.resource("language.json");
        Map<String, Object> variables = Json.fields(language.get("variables"));
        return StreamSupport.stream(language.get("cases").spliterator(), false)
                .map(each -> DynamicTest.dynamicTest(
                        each.get("template").asString().replace('\n', ' '), () -> check(each, variables)));
    }

    private static void check(JsonNode each, Map<String, Object> variables) {
        String source = each.get("template").asString();
        if (each.has("output")) {
            assertEquals(each.get("output").asString(), render(source, variables));
            return;
        }
        var failure = assertThrows(UzuException.TemplateFailed.class, () -> render(source, variables));
        var text = SAME_TEXT.matcher(each.get("error").asString());
        if (text.matches()) {
            assertEquals(text.group(1), failure.details().get("reason"));
        }
    }

    private static String render(String source, Map<String, Object> variables) {
        return ChatTemplate.of(source, null, null).withClock(CLOCK).render(List.of(), List.of(), false, variables);
    }
}
