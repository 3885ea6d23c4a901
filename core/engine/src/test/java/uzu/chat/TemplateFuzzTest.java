package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import uzu.UzuException;

/** Damaged templates render or give the typed error; nothing else is thrown, and nothing hangs. */
class TemplateFuzzTest {
    private static final int MUTATIONS = 2_000;
    private static final String[] PIECES = {
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "-",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "|",
        ".",
        ",",
        ":",
        "=",
        "~",
        "*",
        "**",
        "not ",
        " in ",
        " is ",
        " if ",
        " else ",
        "\"",
        "'",
        "\\",
        "\n",
        "0",
        "-1",
        "999999999999999999999",
        "1e999",
        "none",
        "messages",
        "loop",
        "range(99999)",
        "{% for x in messages recursive %}",
        "{% endfor %}",
        "{% endif %}",
        "{% break %}",
        "{% set x = 1 %}",
        "{{ caller() }}",
        "|tojson",
        "|join",
        "|map('upper')",
        "|select",
        "|int",
        "|sort",
        "[::-1]",
        "[1:]",
        ".format(",
        " % ",
        "{% endmacro %}",
        "{% raw %}",
        "\ud83d",
        "\0",
        "é"
    };

    @Test
    void damagedSnippets() throws IOException {
        var sources = new ArrayList<String>();
        JsonNode language = Json.resource("language.json");
        language.get("cases").forEach(each -> sources.add(each.get("template").asString()));
        fuzz(sources, Json.fields(language.get("variables")));
    }

    @Test
    void damagedRealTemplates() throws IOException {
        var sources = new ArrayList<String>();
        for (Path file : PublishedTemplates.files()) {
            sources.add(Files.readString(file));
        }
        var conversation = Conversations.load().get("two tools called at once, then more talk");
        fuzz(sources, Json.fields(conversation));
    }

    private static void fuzz(List<String> sources, Map<String, Object> variables) {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int i = 0; i < MUTATIONS; i++) {
            String source = mutated(sources, random);
            String which = "seed " + seed + " mutation " + i;
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> render(source, variables, which), which);
        }
    }

    private static void render(String source, Map<String, Object> variables, String which) {
        try {
            ChatTemplate.of(source, "<s>", "</s>").render(List.of(), List.of(), true, variables);
        } catch (UzuException.TemplateFailed expected) {
            // what damage should lead to
        } catch (Throwable other) {
            fail(which + "\n" + source, other);
        }
    }

    private static String mutated(List<String> sources, Random random) {
        var text = new StringBuilder(sources.get(random.nextInt(sources.size())));
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes && !text.isEmpty(); i++) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + 1 + random.nextInt(12));
            switch (random.nextInt(5)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
                case 2 -> text.replace(at, end, PIECES[random.nextInt(PIECES.length)]);
                case 3 -> text.insert(random.nextInt(text.length()), text.substring(at, end));
                default -> text.setCharAt(at, text.charAt(random.nextInt(text.length())));
            }
        }
        return text.toString();
    }
}
