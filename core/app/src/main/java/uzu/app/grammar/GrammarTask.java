package uzu.app.grammar;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Something to be answered in a shape. @param schema as JSON text */
record GrammarTask(String name, String prompt, String schema) {
    /** Fifty, of all that schemas are used for. */
    static List<GrammarTask> all() {
        try (InputStream in = GrammarTask.class.getResourceAsStream("tasks.json")) {
            List<GrammarTask> tasks = new ArrayList<>();
            for (JsonNode task : JsonMapper.shared().readTree(Objects.requireNonNull(in))) {
                tasks.add(new GrammarTask(
                        task.path("name").asString(),
                        task.path("prompt").asString(),
                        task.path("schema").toString()));
            }
            return tasks;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
