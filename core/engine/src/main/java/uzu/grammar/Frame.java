package uzu.grammar;

/**
 * A part of a text that is being written, or, below another, what is to come after that. Immutable values with equality.
 * On top of a {@link Stack} are only frames that take bytes.
 */
abstract class Frame {
    /** Takes a byte: adds to {@code out} every way on, none if the byte can't be. */
    abstract void step(int unsignedByte, Stack below, Threads out);

    /** Whether the part may be over here, though it may also go on. */
    boolean mayEnd() {
        return false;
    }

    /**
     * What was above is over, and this part goes on.
     *
     * @param label what the part above has to say of itself, 0 mostly
     */
    void resume(int label, Stack below, Threads out) {
        throw new IllegalStateException();
    }

    /** Takes a control token as a whole; most never do. */
    void stepControl(int token, Stack below, Threads out) {}

    /** The control token it waits for, −1 for none. */
    int control() {
        return -1;
    }

    /**
     * Tokens that suffice to end this part and all below; some token always leads to where fewer suffice, as long as
     * every byte is a token.
     */
    abstract int cost(Stack below);

    /**
     * What {@link uzu.speculate.Constraint#place} says of a part at the same depth that is as this one, to whose layout
     * neither names nor values matter; negative for none.
     */
    long place() {
        return -1;
    }

    /**
     * A frame that the same tokens may follow, as far as tokens of up to {@code longest} bytes can tell: large counts
     * made smaller.
     */
    Frame alike(int longest) {
        return this;
    }
}
