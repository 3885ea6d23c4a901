package uzu.tokenizer;

/** Unicode's classes as regular expressions know them. */
final class Characters {
    private Characters() {}

    /** White_Space, {@code \s}; all of it lies in the basic plane. */
    static boolean isSpace(int c) {
        return c == ' '
                || c >= '\t' && c <= '\r'
                || c == 0x85
                || c == 0xA0
                || c == 0x1680
                || c >= 0x2000 && c <= 0x200A
                || c == 0x2028
                || c == 0x2029
                || c == 0x202F
                || c == 0x205F
                || c == 0x3000;
    }

    /** {@code \w}: letters, marks, digits, joining punctuation and join controls. */
    static boolean isWord(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.CONNECTOR_PUNCTUATION -> true;
            default -> Character.isAlphabetic(c) || c == 0x200C || c == 0x200D;
        };
    }
}
