package uzu.grammar;

/** What a schema demands can't be enforced. Caught where the keyword at fault is known. */
final class Unsupported extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param why completes "… can't be enforced: " */
    Unsupported(String why) {
        super(why, null, false, false);
    }
}
