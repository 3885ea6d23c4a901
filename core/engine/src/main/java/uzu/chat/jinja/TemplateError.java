package uzu.chat.jinja;

import org.jspecify.annotations.Nullable;

/** A failure inside a template, before its line is known; {@link Template} turns it into the typed error. */
final class TemplateError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final @Nullable String limit;

    private TemplateError(String message, int line, @Nullable String limit) {
        super(message, null, false, false);
        this.line = line;
        this.limit = limit;
    }

    TemplateError(String message) {
        this(message, 0, null);
    }

    static TemplateError at(int line, String message) {
        return new TemplateError(message, line, null);
    }

    static TemplateError limit(String limit, long bound) {
        return new TemplateError("the template exceeds the limit '" + limit + "' of " + bound, 0, limit);
    }

    static TemplateError limitAt(int line, String limit, long bound) {
        return new TemplateError("the template exceeds the limit '" + limit + "' of " + bound, line, limit);
    }

    String text() {
        return String.valueOf(getMessage());
    }

    /** The line, or 0 for the one being evaluated. */
    int line() {
        return line;
    }

    @Nullable String limit() {
        return limit;
    }
}
