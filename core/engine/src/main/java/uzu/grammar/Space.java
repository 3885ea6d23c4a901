package uzu.grammar;

/**
 * JSON's whitespace between two parts, within bounds, for a model could go on with it forever: at most a space, a line
 * break, an indentation. A state is a number, 0 before the first.
 */
final class Space {
    static final int NONE = 0;
    private static final int SPACE = 1;
    private static final int RETURN = 2;
    private static final int INDENTED = 3;
    private static final int MOST_INDENTATION = 32;

    private Space() {}

    /** The state after a byte, −1 if it can't be whitespace here. */
    static int next(int state, int b) {
        return switch (b) {
            case ' ', '\t' ->
                state == NONE ? SPACE : state >= INDENTED && state < INDENTED + MOST_INDENTATION ? state + 1 : -1;
            case '\n' -> state <= RETURN ? INDENTED : -1;
            case '\r' -> state <= SPACE ? RETURN : -1;
            default -> -1;
        };
    }

    /** Whether what follows may begin; a carriage return alone ends no line. */
    static boolean isWhole(int state) {
        return state != RETURN;
    }

    /** Bytes until it is whole. */
    static int cost(int state) {
        return state == RETURN ? 1 : 0;
    }
}
