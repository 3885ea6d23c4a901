package uzu.chat.jinja;

/** What a template can call: macros, methods, global functions, recursive loops. */
interface Callable {
    Object call(Arguments arguments);
}
