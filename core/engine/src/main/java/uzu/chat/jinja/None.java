package uzu.chat.jinja;

/** Python's {@code None}; inside the interpreter no value is Java's null. */
enum None {
    NONE
}
