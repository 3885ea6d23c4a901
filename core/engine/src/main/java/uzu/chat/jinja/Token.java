package uzu.chat.jinja;

/** A piece of template source; strings come unescaped, numbers as written. */
record Token(Kind kind, String text, int line) {
    enum Kind {
        DATA,
        VARIABLE_BEGIN,
        VARIABLE_END,
        BLOCK_BEGIN,
        BLOCK_END,
        NAME,
        STRING,
        INTEGER,
        FLOAT,
        OPERATOR,
        END
    }

    boolean isOperator(String operator) {
        return kind == Kind.OPERATOR && text.equals(operator);
    }

    boolean isName(String name) {
        return kind == Kind.NAME && text.equals(name);
    }

    /** The token as error messages quote it. */
    String described() {
        return switch (kind) {
            case VARIABLE_BEGIN -> "begin of print statement";
            case VARIABLE_END -> "end of print statement";
            case BLOCK_BEGIN -> "begin of statement block";
            case BLOCK_END -> "end of statement block";
            case END -> "end of template";
            default -> "'" + text + "'";
        };
    }
}
