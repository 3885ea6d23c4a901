package uzu.app;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import uzu.UzuException;
import uzu.chat.ChatTemplate;

/**
 * {@code render --check DIR}: renders a collection of chat templates over a set of inputs and compares with what a
 * reference rendered. {@code DIR} has
 *
 * <ul>
 *   <li>{@code index.json}: a list of templates, each with {@code id} and {@code file};
 *   <li>{@code inputs.json}: by name the variables of a render, {@code messages} among them;
 *   <li>{@code expected/<id>.json}: by input's name an object with {@code output}, or with {@code error} as Python
 *       words it, {@code Type: text}.
 * </ul>
 *
 * A render is identical if it gives the output byte for byte, or fails where the reference failed; a text the template
 * itself raised ({@code TemplateError}) must be the same too. The reference's clock stood at 2026-01-05 09:07:03.
 */
final class Render {
    private static final Clock CLOCK =
            Clock.fixed(LocalDateTime.of(2026, 1, 5, 9, 7, 3).toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
    private static final String RAISED = "TemplateError: ";

    private final Path folder;
    private final PrintStream out;
    private final ObjectMapper json = new ObjectMapper();
    private int identical;
    private int total;

    private Render(Path folder, PrintStream out) {
        this.folder = folder;
        this.out = out;
    }

    /** Prints a line for each render that differs and, last, {@code N of M identical}; 0 if all are, else 1. */
    static int run(List<String> arguments, PrintStream out) {
        if (arguments.size() != 2 || !arguments.getFirst().equals("--check")) {
            throw new Usage("render takes --check DIR");
        }
        return new Render(Path.of(arguments.get(1)), out).check();
    }

    private int check() {
        JsonNode inputs = json(folder.resolve("inputs.json"));
        for (JsonNode entry : json(folder.resolve("index.json"))) {
            String id = entry.path("id").asString();
            String source = text(folder.resolve(entry.path("file").asString()));
            JsonNode expected = json(folder.resolve("expected").resolve(id + ".json"));
            inputs.properties().forEach(input -> {
                total++;
                Optional<String> difference = difference(source, input.getValue(), expected.path(input.getKey()));
                if (difference.isEmpty()) {
                    identical++;
                } else {
                    out.println(id + " " + input.getKey() + ": " + difference.get());
                }
            });
        }
        out.println(identical + " of " + total + " identical");
        return identical == total ? 0 : 1;
    }

    private Optional<String> difference(String source, JsonNode input, JsonNode expected) {
        String error = expected.path("error").asString("");
        String output;
        try {
            output = render(source, input);
        } catch (UzuException.TemplateFailed failure) {
            String reason = failure.details().getOrDefault("reason", "");
            boolean same = error.startsWith(RAISED) ? error.equals(RAISED + reason) : !error.isEmpty();
            return same ? Optional.empty() : Optional.of("fails: " + failure.getMessage());
        }
        if (!error.isEmpty()) {
            return Optional.of("renders, and should fail: " + error);
        }
        String wanted = expected.path("output").asString();
        return output.equals(wanted) ? Optional.empty() : Optional.of(firstDifference(wanted, output));
    }

    private String render(String source, JsonNode input) {
        Map<String, Object> variables = new HashMap<>();
        input.properties()
                .forEach(field -> variables.put(field.getKey(), json.convertValue(field.getValue(), Object.class)));
        var template = ChatTemplate.of(source, null, null).withClock(CLOCK);
        return template.render(List.of(), List.of(), false, variables);
    }

    private static String firstDifference(String wanted, String output) {
        int at = 0;
        while (at < Math.min(wanted.length(), output.length()) && wanted.charAt(at) == output.charAt(at)) {
            at++;
        }
        return "differs at character " + at + ": " + excerpt(output, at) + " instead of " + excerpt(wanted, at);
    }

    private static String excerpt(String text, int at) {
        String part = text.substring(at, Math.min(text.length(), at + 30));
        return '"' + part.replace("\n", "\\n") + '"';
    }

    private JsonNode json(Path file) {
        try {
            return json.readTree(text(file));
        } catch (JacksonException malformed) {
            throw new UzuException.InvalidArgument(
                    file + " is not JSON: " + malformed.getOriginalMessage(),
                    Map.of("path", file.toString()),
                    malformed);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (java.io.IOException unreadable) {
            throw new UzuException.InvalidArgument("cannot read " + file, Map.of("path", file.toString()), unreadable);
        }
    }
}
