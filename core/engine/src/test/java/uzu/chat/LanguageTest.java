package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import uzu.UzuException;

/**
 * Small templates for every corner of the language, with what jinja2 3.1.6 makes of them, set up as transformers does.
 */
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

    @Test
    void theRecordIsWhatJinja2Gives(@TempDir Path folder) throws Exception {
        JsonNode language = Json.resource("language.json");
        List<Path> files = new ArrayList<>();
        for (JsonNode each : language.get("cases")) {
            Path file = folder.resolve(files.size() + ".jinja");
            Files.write(file, each.get("template").asString().getBytes(StandardCharsets.UTF_8));
            files.add(file);
        }
        JsonNode reference = new Jinja2(folder).render(files, Map.of("record", language.get("variables")));
        for (int i = 0; i < files.size(); i++) {
            JsonNode given = reference.get(i + ".jinja").get("record");
            JsonNode recorded = language.get("cases").get(i);
            String source = recorded.get("template").asString();
            assertEquals(recorded.has("error"), given.has("error"), source);
            // Python hands the format to the C library, and not every one of them is glibc.
            if (recorded.has("output") && !source.contains("strftime_now")) {
                assertEquals(
                        recorded.get("output").asString(), given.get("output").asString(), source);
            }
        }
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
