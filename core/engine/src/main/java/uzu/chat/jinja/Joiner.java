package uzu.chat.jinja;

/** {@code joiner(sep)}: nothing when first called, the separator from then on. */
final class Joiner implements Callable {
    private final String separator;
    private boolean used;

    Joiner(String separator) {
        this.separator = separator;
    }

    @Override
    public Object call(Arguments arguments) {
        boolean first = !used;
        used = true;
        return first ? "" : separator;
    }
}
