package uzu.chat.jinja;

import java.util.List;

/** What one render has used of its {@link Limits}, and the line it is at. */
final class Budget {
    private static final int COPIES_PER_STEP = 16;

    private final Limits limits;
    private long steps;
    private int depth;
    private int line = 1;

    Budget(Limits limits) {
        this.limits = limits;
    }

    Limits limits() {
        return limits;
    }

    int line() {
        return line;
    }

    void at(int newLine) {
        line = newLine;
    }

    void step() {
        if (++steps > limits.steps()) {
            throw TemplateError.limit("steps", limits.steps());
        }
    }

    /** Accounts for {@code count} characters or values copied or compared. */
    void copy(long count) {
        steps += count / COPIES_PER_STEP;
        step();
    }

    /** Accounts for a value that is about to be gone through, or was made. */
    void read(Object value) {
        switch (value) {
            case String text -> copy(text.length());
            case Markup markup -> copy(markup.text().length());
            case List<?> list -> copy(list.size());
            default -> {}
        }
    }

    void enter() {
        if (++depth > limits.depth()) {
            throw TemplateError.limit("depth", limits.depth());
        }
        step();
    }

    void leave() {
        depth--;
    }

    /** Refuses a string of {@code length} characters before it is made. */
    void text(long length) {
        if (length > limits.text()) {
            throw TemplateError.limit("text", limits.text());
        }
        copy(length);
    }

    /** Refuses a list of {@code size} values before it is made. */
    void list(long size) {
        if (size > limits.list()) {
            throw TemplateError.limit("list", limits.list());
        }
        copy(size);
    }
}
