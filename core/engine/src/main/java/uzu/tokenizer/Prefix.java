package uzu.tokenizer;

/** A space, or what stands for one, put before a text that does not begin with it. */
record Prefix(String space, Scheme scheme) {
    static final Prefix NONE = new Prefix("", Scheme.NEVER);

    enum Scheme {
        NEVER,
        /** At the start of the whole text. */
        FIRST,
        /** At the start of each part between added tokens. */
        ALWAYS
    }

    String apply(String text, boolean first) {
        boolean wanted = scheme == Scheme.ALWAYS || scheme == Scheme.FIRST && first;
        return wanted && !text.isEmpty() && !text.startsWith(space) ? space + text : text;
    }
}
