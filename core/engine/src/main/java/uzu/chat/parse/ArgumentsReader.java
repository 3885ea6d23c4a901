package uzu.chat.parse;

/** The arguments of a call whose name is known: one JSON object, which white space may precede. */
final class ArgumentsReader {
    private final String name;
    private final JsonScanner scanner = new JsonScanner();
    private boolean started;
    private boolean broken;

    ArgumentsReader(String name) {
        this.name = name;
    }

    /** Takes what belongs to the object; the call is announced with its first character. */
    void read(Input input, Blocks blocks) {
        while (!input.isEmpty() && !broken && !scanner.isWhole()) {
            char c = input.charAt(0);
            if (!started && Character.isWhitespace(c)) {
                blocks.raw(input.takeOne());
                continue;
            }
            broken = !started && c != '{' || !scanner.accept(c);
            if (!broken) {
                if (!started) {
                    blocks.announce(null, name);
                    started = true;
                }
                blocks.arguments(scanner.written(c));
                blocks.raw(input.takeOne());
            }
        }
    }

    boolean isStarted() {
        return started;
    }

    /** Whether something else stands there. */
    boolean isBroken() {
        return broken;
    }

    boolean needsMore() {
        return !broken && !scanner.isWhole();
    }
}
