package uzu.grammar;

/** Grammars as text: llama.cpp's, known by {@code ::=}, or Lark's. */
final class Ebnf {
    private Ebnf() {}

    /** @throws uzu.UzuException.GrammarUnsupported naming line and column of what is wrong or can't be followed */
    static Syntax parse(String text) {
        return isGbnf(text) ? Gbnf.parse(text) : Lark.parse(text);
    }

    private static boolean isGbnf(String text) {
        return text.lines().anyMatch(line -> line.matches("\\s*[A-Za-z0-9_-]+\\s*::=.*"));
    }
}
