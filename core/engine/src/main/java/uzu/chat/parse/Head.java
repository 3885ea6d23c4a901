package uzu.chat.parse;

import org.jspecify.annotations.Nullable;

/** What stands before a call's arguments; {@code identifier} null where the format has none. */
record Head(@Nullable String identifier, String name) {
    static @Nullable Head ofName(String name) {
        String clean = name.strip();
        return isName(clean) ? new Head(null, clean) : null;
    }

    /** Whether {@code text} can be a tool's name at all. */
    static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= 256
                && text.chars().noneMatch(c -> c <= ' ' || "<>{}\"'".indexOf(c) >= 0);
    }
}
