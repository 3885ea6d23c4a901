package uzu.grammar;

/** What a schema demands can't be enforced. Caught where the keyword at fault is known. */
final class Unsupported extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String keyword;

    /** @param why completes "… can't be enforced: " */
    Unsupported(String why) {
        this("", why);
    }

    /** @param keyword at fault, where it isn't the one that is looked at */
    Unsupported(String keyword, String why) {
        super(why, null, false, false);
        this.keyword = keyword;
    }

    String keyword(String otherwise) {
        return keyword.isEmpty() ? otherwise : keyword;
    }
}
