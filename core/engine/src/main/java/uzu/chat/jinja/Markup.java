package uzu.chat.jinja;

/** A string marked safe: what is joined to it by {@code +} gets HTML-escaped, even where nothing else does. */
record Markup(String text) {
    static Markup escape(Object value, Budget budget) {
        return value instanceof Markup markup ? markup : new Markup(escaped(Representation.str(value, budget)));
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;")
                .replace("\"", "&#34;");
    }
}
