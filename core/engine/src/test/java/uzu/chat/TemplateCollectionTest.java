package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.Objects;
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
        JsonNode reference = reference(files, conversations);
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

    private JsonNode reference(List<Path> files, Map<String, ObjectNode> conversations) throws Exception {
        String python = Objects.requireNonNullElse(System.getenv("UZU_PYTHON"), "python3");
        assumeTrue(
                run(List.of(python, "-c", "import jinja2")) == 0,
                () -> python + " has no jinja2: tools/tools test makes an environment that has");
        Path inputs = folder.resolve("inputs.json");
        Files.writeString(inputs, Json.write(conversations));
        var command = new ArrayList<String>(List.of(python, script().toString(), inputs.toString()));
        files.forEach(file -> command.add(file.toString()));
        assertEquals(0, run(command), () -> log());
        return Json.parse(Files.readString(folder.resolve("out")));
    }

    private static Path script() throws Exception {
        Path classes = Path.of(TemplateCollectionTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path script =
                classes.resolve("../../src/test/python/render_templates.py").normalize();
        assertTrue(Files.exists(script), script.toString());
        return script;
    }

    private int run(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                    .redirectOutput(folder.resolve("out").toFile())
                    .redirectError(folder.resolve("log").toFile())
                    .start()
                    .waitFor();
        } catch (IOException noSuchProgram) {
            return -1;
        }
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
