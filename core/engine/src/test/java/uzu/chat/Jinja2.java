package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** The reference: Python's jinja2, set up as transformers does by {@code src/test/python/render_templates.py}. */
record Jinja2(Path folder) {
    /**
     * By template's file name, by input's name, an object with {@code output} or {@code error}; skips the test where
     * there is no jinja2.
     *
     * @param inputs the variables of each render by name
     */
    JsonNode render(List<Path> files, Map<String, ? extends JsonNode> inputs) throws Exception {
        String python = Objects.requireNonNullElse(System.getenv("UZU_PYTHON"), "python3");
        assumeTrue(
                run(List.of(python, "-c", "import jinja2")) == 0,
                () -> python + " has no jinja2: tools/tools test makes an environment that has");
        Path variables = folder.resolve("inputs.json");
        Files.writeString(variables, Json.write(inputs));
        var command = new ArrayList<String>(List.of(python, script().toString(), variables.toString()));
        files.forEach(file -> command.add(file.toString()));
        assertEquals(0, run(command), () -> log());
        return Json.parse(Files.readString(folder.resolve("out")));
    }

    private static Path script() throws Exception {
        Path classes = Path.of(
                Jinja2.class.getProtectionDomain().getCodeSource().getLocation().toURI());
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
