package uzu.grammar;

/** A class in square brackets, whose first is read. */
record RegexClass(RegexParser parser) {
    CodePoints set() {
        int from = parser.position() - 1;
        boolean negated = parser.eat('^');
        CodePoints set = CodePoints.NONE;
        while (!parser.eat(']')) {
            if (parser.atEnd()) {
                throw parser.fault("a class that nothing closes", from);
            }
            set = set.or(member());
        }
        return negated ? set.not() : set;
    }

    private CodePoints member() {
        int from = parser.position();
        CodePoints first = single();
        int dash = parser.position();
        if (!parser.eat('-')) {
            return first;
        }
        if (parser.atEnd() || parser.peek() == ']') {
            return first.or(CodePoints.of('-'));
        }
        if (!isCharacter(first)) {
            // [\w-.] means its three members; a range from a set is none
            return first.or(CodePoints.of('-'));
        }
        CodePoints last = single();
        if (!isCharacter(last) || last.first(0) < first.first(0)) {
            throw parser.fault("a range that isn't one", isCharacter(last) ? from : dash);
        }
        return CodePoints.range(first.first(0), last.first(0));
    }

    private static boolean isCharacter(CodePoints set) {
        return set.size() == 1 && set.first(0) == set.last(0);
    }

    private CodePoints single() {
        int from = parser.position();
        int c = parser.next();
        if (c != '\\') {
            return CodePoints.of(c);
        }
        if (parser.eat('b')) {
            return CodePoints.of('\b');
        }
        return new RegexEscape(parser, from).set();
    }
}
