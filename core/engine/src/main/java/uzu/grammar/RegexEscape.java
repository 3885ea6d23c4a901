package uzu.grammar;

/** What stands for characters after a backslash. */
record RegexEscape(RegexParser parser, int from) {
    private static final CodePoints DIGITS = CodePoints.range('0', '9');
    private static final CodePoints WORD = CodePoints.range('0', '9')
            .or(CodePoints.range('A', 'Z'))
            .or(CodePoints.range('a', 'z'))
            .or(CodePoints.of('_'));

    /** White space and line ends of ECMA 262. */
    private static final CodePoints SPACE = CodePoints.of(
                    "\t\n\u000B\f\r \u00A0\u1680\u2028\u2029\u202F\u205F\u3000\uFEFF")
            .or(CodePoints.range(0x2000, 0x200A));

    static CodePoints word() {
        return WORD;
    }

    CodePoints set() {
        int c = parser.next();
        return switch (c) {
            case 'd' -> DIGITS;
            case 'D' -> DIGITS.not();
            case 'w' -> WORD;
            case 'W' -> WORD.not();
            case 's' -> SPACE;
            case 'S' -> SPACE.not();
            case 'p' -> property();
            case 'P' -> property().not();
            case 't' -> CodePoints.of('\t');
            case 'n' -> CodePoints.of('\n');
            case 'v' -> CodePoints.of(0x0B);
            case 'f' -> CodePoints.of('\f');
            case 'r' -> CodePoints.of('\r');
            case '0' -> zero();
            case 'c' -> control();
            case 'x' -> character(hex(2));
            case 'u' -> unicode();
            default -> {
                if (Character.isLetterOrDigit(c) || c == '_') {
                    throw parser.fault("the unknown escape \\" + Character.toString(c), from);
                }
                yield CodePoints.of(c);
            }
        };
    }

    private CodePoints property() {
        StringBuilder name = new StringBuilder();
        parser.expect('{');
        while (!parser.eat('}')) {
            name.appendCodePoint(parser.next());
        }
        CodePoints set = UnicodeProperties.named(name.toString());
        if (set == null) {
            throw parser.fault("the unknown property of characters " + name, from);
        }
        return set;
    }

    private CodePoints zero() {
        if (!parser.atEnd() && Character.isDigit(parser.peek())) {
            throw parser.fault("an octal escape", from);
        }
        return CodePoints.of(0);
    }

    private CodePoints control() {
        int c = parser.next();
        if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')) {
            throw parser.fault("a control escape without its letter", from);
        }
        return CodePoints.of(c % 32);
    }

    private CodePoints unicode() {
        if (parser.eat('{')) {
            int value = 0;
            int digits = 0;
            for (; !parser.eat('}'); digits++) {
                value = Math.min(value * 16 + digit(), Character.MAX_CODE_POINT + 1);
            }
            if (digits == 0 || value > Character.MAX_CODE_POINT) {
                throw parser.fault("an escape of no character", from);
            }
            return character(value);
        }
        int unit = hex(4);
        if (Character.isHighSurrogate((char) unit) && parser.eat('\\')) {
            parser.expect('u');
            int low = hex(4);
            if (Character.isLowSurrogate((char) low)) {
                return CodePoints.of(Character.toCodePoint((char) unit, (char) low));
            }
            throw parser.fault("half a surrogate pair", from);
        }
        return character(unit);
    }

    private CodePoints character(int c) {
        if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
            throw parser.fault("half a surrogate pair", from);
        }
        return CodePoints.of(c);
    }

    private int hex(int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            value = value * 16 + digit();
        }
        return value;
    }

    private int digit() {
        int value = Character.digit(parser.next(), 16);
        if (value < 0) {
            throw parser.fault("an escape with too few hexadecimal digits", from);
        }
        return value;
    }
}
