package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import uzu.UzuException;

/** Real templates over all conversations, byte for byte what Python's jinja2 gives, or an error where it has one. */
class TemplateCollectionTest {
    private static final Clock CLOCK =
            Clock.fixed(LocalDateTime.of(2026, 1, 5, 9, 7, 3).toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
    private static final String RAISED = "TemplateError: ";

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> rendersAsJinja2() throws Exception {
        List<Path> files = PublishedTemplates.files();
        Map<String, ObjectNode> conversations = Conversations.load();
        JsonNode reference = new Jinja2(folder).render(files, conversations);
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(
                        file.getFileName().toString(),
                        () -> compare(
                                file,
                                conversations,
                                reference.get(file.getFileName().toString()))));
    }

    private static void compare(Path file, Map<String, ObjectNode> conversations, JsonNode reference)
            throws IOException {
        String source = Files.readString(file);
        for (var each : conversations.entrySet()) {
            String name = each.getKey();
            Map<String, Object> variables = Json.fields(each.getValue());
            JsonNode expected = reference.get(name);
            if (expected.has("output")) {
                assertEquals(expected.get("output").asString(), render(source, variables), name);
                continue;
            }
            String error = expected.get("error").asString();
            var failure = assertThrows(
                    UzuException.TemplateFailed.class,
                    () -> render(source, variables),
                    name + " should fail: " + error);
            if (error.startsWith(RAISED)) {
                assertEquals(error.substring(RAISED.length()), failure.details().get("reason"), name);
            }
        }
    }

    private static String render(String source, Map<String, Object> variables) {
        return ChatTemplate.of(source, null, null).withClock(CLOCK).render(List.of(), List.of(), false, variables);
    }
}
