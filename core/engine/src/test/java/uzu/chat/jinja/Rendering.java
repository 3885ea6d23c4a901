package uzu.chat.jinja;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import uzu.UzuException;

/** Renders at a time that stands still: Monday, 5 January 2026, 09:07:03. */
final class Rendering {
    static final Clock CLOCK = at(2026, 1, 5, 9, 7, 3);

    private Rendering() {}

    static Clock at(int year, int month, int day, int hour, int minute, int second) {
        var time = LocalDateTime.of(year, month, day, hour, minute, second);
        return Clock.fixed(time.toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
    }

    static String render(String source) {
        return render(source, Map.of());
    }

    static String render(String source, Map<String, ?> variables) {
        return Template.parse(source, Limits.DEFAULT).render(variables, CLOCK);
    }

    static UzuException.TemplateFailed failure(String source) {
        return failure(source, Limits.DEFAULT);
    }

    static UzuException.TemplateFailed failure(String source, Limits limits) {
        return assertThrows(
                UzuException.TemplateFailed.class,
                () -> Template.parse(source, limits).render(Map.of(), CLOCK));
    }
}
