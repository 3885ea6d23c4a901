package uzu.app.train;

import java.io.PrintStream;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Lines of a log, each with the time and the stage at work. */
record Progress(PrintStream out, String stage) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    Progress of(String next) {
        return new Progress(out, next);
    }

    void say(String format, Object... values) {
        out.println(LocalDateTime.now().format(TIME) + " " + stage + ": " + format.formatted(values));
        out.flush();
    }
}
