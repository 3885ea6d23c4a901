package uzu.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;

class RenderTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void collection() throws IOException {
        write("index.json", "[{\"id\": \"plain\", \"file\": \"templates/plain.jinja\"}]");
        write(
                "templates/plain.jinja",
                "{% if not messages %}{{ raise_exception('Nothing said') }}{% endif %}"
                        + "{{ messages[0].content + '|' + bos_token }} {{ strftime_now('%d %b %Y') }}");
        write(
                "inputs.json",
                "{\"greeting\": {\"bos_token\": \"<s>\", \"messages\": [{\"content\": \"Grüße\"}]},"
                        + " \"silence\": {\"messages\": []}, \"nothing\": {\"messages\": [{\"content\": null}]}}");
    }

    private void expected(String greeting, String silence, String nothing) throws IOException {
        write(
                "expected/plain.json",
                "{\"greeting\": {\"output\": \"" + greeting + "\"}, \"silence\": {\"error\": \"" + silence
                        + "\"}, \"nothing\": {\"error\": \"" + nothing + "\"}}");
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private int check() {
        return Render.run(
                List.of("--check", folder.toString()), new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private List<String> lines() {
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void identicalCollectionsExitWithZero() throws IOException {
        expected("Grüße|<s> 05 Jan 2026", "TemplateError: Nothing said", "TypeError: whatever Python says");
        assertEquals(0, check());
        assertEquals(List.of("3 of 3 identical"), lines());
    }

    @Test
    void differencesAreNamedBeforeTheLastLine() throws IOException {
        expected("Grüße|<s> 6 Jan 2026", "TemplateError: Silence", "TypeError: whatever Python says");
        assertEquals(1, check());
        assertEquals(
                List.of(
                        "plain greeting: differs at character 10: \"05 Jan 2026\" instead of \"6 Jan 2026\"",
                        "plain silence: fails: The chat template fails at line 1: Nothing said",
                        "1 of 3 identical"),
                lines());
    }

    @Test
    void anOutputWhereAnErrorIsDueIsADifference() throws IOException {
        expected("Grüße|<s> 05 Jan 2026", "TemplateError: Nothing said", "TypeError: x");
        write("inputs.json", "{\"nothing\": {\"bos_token\": \"\", \"messages\": [{\"content\": \"\"}]}}");
        assertEquals(1, check());
        assertEquals("0 of 1 identical", lines().getLast());
    }

    @Test
    void aFolderWithoutTheLayoutIsTheCallersFault() {
        var failure = assertThrows(UzuException.InvalidArgument.class, this::check);
        assertEquals(
                folder.resolve("expected/plain.json").toString(),
                failure.details().get("path"));
    }

    @Test
    void otherArgumentsAreMisuse() {
        assertThrows(Usage.class, () -> Render.run(List.of("--check"), System.out));
        assertEquals(2, Main.run(List.of("no-such-command")));
    }
}
