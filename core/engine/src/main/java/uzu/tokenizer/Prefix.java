package uzu.tokenizer;

/**
 * A space, or what stands for one, put before a text that does not begin with it.
 *
 * @param replaces whether it takes the place of every other space too
 */
record Prefix(String space, Scheme scheme, boolean replaces) {
    static final Prefix NONE = new Prefix("", Scheme.NEVER, false);

    enum Scheme {
        NEVER,
        /** At the start of the whole text. */
        FIRST,
        /** At the start of each part between added tokens. */
        ALWAYS
    }

    String apply(String text, boolean first) {
        String spaced = replaces ? text.replace(" ", space) : text;
        boolean wanted = scheme == Scheme.ALWAYS || scheme == Scheme.FIRST && first;
        return wanted && !spaced.isEmpty() && !spaced.startsWith(space) ? space + spaced : spaced;
    }
}
