package uzu.chat.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StrftimeTest {
    private static String now(String format) {
        return now(format, Rendering.CLOCK);
    }

    private static String now(String format, Clock clock) {
        return Template.parse("{{ strftime_now(f) }}", Limits.DEFAULT).render(Map.of("f", format), clock);
    }

    @Test
    void datesAsTemplatesWriteThem() {
        assertEquals("05 Jan 2026", now("%d %b %Y"));
        assertEquals("Monday, January 5, 2026", now("%A, %B %-d, %Y"));
        assertEquals("2026-01-05 09:07:03", now("%Y-%m-%d %H:%M:%S"));
    }

    @Test
    void everyDirective() {
        assertEquals("Mon Jan  5 09:07:03 2026|01/05/26|09:07:03", now("%c|%x|%X"));
        assertEquals("09|AM|am|9|09:07:03 AM| 9| 9", now("%I|%p|%P|%-I|%r|%l|%k"));
        assertEquals("005|5|26|20| 5|1|1", now("%j|%-j|%y|%C|%e|%u|%w"));
        assertEquals("01|01|02|2026|26", now("%U|%W|%V|%G|%g"));
        assertEquals("000000|%|\n|\t|01/05/26|2026-01-05|09:07|09:07:03|1767604023", now("%f|%%|%n|%t|%D|%F|%R|%T|%s"));
    }

    @Test
    void aTimeWithoutZonePrintsNone() {
        assertEquals("[][]", now("[%z][%Z]"));
    }

    @Test
    void flagsAndWidths() {
        assertEquals(" 5|5|MON|am|00005|%Q|%", now("%_d|%-d|%^a|%#p|%05d|%Q|%"));
    }

    @Test
    void afternoonsAndYearEnds() {
        Clock clock = Rendering.at(2024, 12, 30, 13, 0, 0);
        assertEquals("01 PM 365 52 53 2025-01 1", now("%I %p %j %U %W %G-%V %u", clock));
        assertEquals("12 AM 00", now("%I %p %U", Rendering.at(2024, 1, 1, 0, 30, 0)));
    }
}
