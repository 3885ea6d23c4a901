package uzu.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uzu.UzuException;

@Timeout(30)
class EbnfTest {
    private static final String CHESS = """
            # moves of a game
            root    ::= "1. " move " " move "\\n" ([1-9] [0-9]? ". " move " " move "\\n")+
            move    ::= (pawn | nonpawn | castle) [+#]?
            nonpawn ::= [NBKQR] [a-h]? [1-8]? "x"? [a-h] [1-8]   # a piece
            pawn    ::= ([a-h] "x")? [a-h] [1-8] ("=" [NBKQR])?
            castle  ::= "O-O" "-O"?
            """;

    private static final String SUMS = """
            root ::= (
                expr
                # with its value
                "=" num
            )
            expr ::= term ([-+*/] term)* |
                "-" expr
            term ::= num | "(" expr ")"
            num ::= [0-9]{1,3} ("." [0-9]{2,})?
            """;

    private static final String CALCULATOR = """
            // sums over names
            start: sum (";" sum)*

            ?sum: product
                | sum "+" product   -> add
                | sum "-" product   -> sub
            ?product: atom
                | product "*" atom  -> mul
            ?atom: NUMBER           -> number
                | "-" atom          -> neg
                | NAME "=" sum      -> assign
                | "(" sum ")"
                | [SIGN] /0x[0-9a-f]+/i
            NAME.2: ("a".."z")~1..3
            SIGN: "PLUS"i

            %import common.NUMBER
            %import common.WS_INLINE -> BLANKS
            %ignore BLANKS
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '§',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "1+2*3=7§true",
                "(1+(2))=3.50§true",
                "--1=1§true",
                "1+=2§false",
                "1=1.5§false",
                "1234=1§false",
                "()§false",
                "((1=1§false",
            })
    void gbnfMeansWhatLlamaCppMeans(String text, boolean accepted) {
        assertEquals(accepted, SyntaxMatcher.accepts(Syntax.ebnf(SUMS), text));
    }

    @Test
    void rulesThatAreNotRecursiveArePutIn() {
        Syntax chess = Syntax.ebnf(CHESS);
        assertInstanceOf(Syntax.Sequence.class, chess);
        assertTrue(SyntaxMatcher.accepts(chess, "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6\n4. O-O Nf6\n"));
        assertFalse(SyntaxMatcher.accepts(chess, "1. e4 e5\n"));
        assertFalse(SyntaxMatcher.accepts(chess, "1. e4 e9\n2. a1 a1\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '§',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "1§true",
                "1+2-3*4§true",
                " a = 1.5e3 + (2 * -b=3) §true",
                "plus 0XfF§true",
                "PLUS0x1§true",
                "abcd=1§false",
                "1 +§false",
                "1⏎§false",
                "(1§false",
            })
    void larkMeansWhatLarkMeans(String text, boolean accepted) {
        assertEquals(accepted, SyntaxMatcher.accepts(Syntax.ebnf(CALCULATOR), text.replace("⏎", "\n")));
    }

    @Test
    void severalSumsAreSeparated() {
        assertTrue(SyntaxMatcher.accepts(Syntax.ebnf(CALCULATOR), "1 ;a=2 ; 3 "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '§',
            value = {
                "root ::= \"\\x41\\u00e9\\U0001F680\"§Aé\uD83D\uDE80§true",
                "root ::= [^a-c\\]]+ | §xyz§true",
                "root ::= [^a-c\\]]+ | §x]z§false",
                "root ::= [^a-c\\]]+ | §''§true",
                "root ::= [a-]+§a-a§true",
                "root ::= .§\uD83D\uDE80§true",
                "root ::= \"a\"{3}§aaa§true",
                "root ::= \"a\"{2,}§a§false",
                "root ::= \"a\"{,2}§aa§true",
                "root ::= <|im_end|>§<|im_end|>§true",
                "root ::= root \"x\" | \"y\"§yxx§true",
                "root ::= (\"x\" root)? §xxx§true",
                "start: /[/]a/ /b\\/c/§/ab/c§true",
                "start: common⏎common: \"x\"~2§xx§true",
                "start: A⏎A: B \"c\"⏎B: \"b\"*§bbc§true",
            })
    void readsWhatBothAllow(String grammar, String text, boolean accepted) {
        assertEquals(accepted, SyntaxMatcher.accepts(Syntax.ebnf(grammar.replace("⏎", "\n")), text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '§',
            value = {
                "root ::= \"a§1§12§it ends",
                "root ::= a⏎b ::= \"x\"§1§10§the rule a is missing",
                "root ::= \"x\"⏎x ::= \"a\" ⏎x ::= \"b\"§3§1§the rule x is there a second time",
                "root ::= (a⏎a ::= \"x\"§1§10§a group isn't closed",
                "root ::= a⏎a ::= b \"x\"⏎b ::= a | \"y\"§2§1§begins with itself: a → b → a",
                "root ::= \"x\" root§1§1§the rule root never ends",
                "root ::= root§1§1§never ends",
                "root ::= [z-a]§1§10§a range ends below its start",
                "root ::= \"\\q\"§1§11§an escape is unknown",
                "root ::= <[12]>§1§10§by its number",
                "root ::= !<x>§1§10§all tokens but one",
                "other ::= \"x\"§1§1§the rule root is missing",
                "root ::= \"x\" ) §1§14§a sign that means nothing",
                "root ::= \"x\"{3,1}§1§10§a count ends below",
                "start: a{b}§1§8§templates",
                "start: A⏎A: b⏎b: \"x\"§2§4§names the rule b",
                "%import python.NAME⏎start: \"x\"§1§9§only names of common",
                "%declare X⏎start: \"x\"§1§1§only %import",
                "start: /a(?=b)/§1§8§an assertion in a part",
                "start: /a(b/§1§8§a group that nothing closes",
                "start: \"\"§1§8§a string is empty",
                "start: \"a\"..\"bc\"§1§8§a range isn't one",
                "start: x⏎x: y \"a\"⏎y: x?§2§1§begins with itself",
            })
    void faultsAreNamedByLineAndColumn(String grammar, String line, String column, String what) {
        String text = grammar.replace("⏎", "\n");
        UzuException fault = assertThrows(UzuException.GrammarUnsupported.class, () -> Syntax.ebnf(text));
        assertTrue(String.valueOf(fault.getMessage()).contains(what), fault::getMessage);
        assertEquals(
                line + ":" + column,
                fault.details().get("line") + ":" + fault.details().get("column"),
                fault::getMessage);
    }

    @Test
    void deepAndLongGrammarsEndInTime() {
        assertThrows(
                UzuException.GrammarUnsupported.class, () -> Syntax.ebnf("root ::= " + "(".repeat(100_000) + "\"x\""));
        StringBuilder chain = new StringBuilder("root ::= r1\n");
        for (int i = 1; i < 1900; i++) {
            chain.append("r%d ::= \"(\" r%d \")\"\n".formatted(i, i + 1));
        }
        Syntax.ebnf(chain + "r1900 ::= \"x\"\n");
        StringBuilder doubling = new StringBuilder("root ::= r1\n");
        for (int i = 1; i < 60; i++) {
            doubling.append("r%d ::= r%d r%d\n".formatted(i, i + 1, i + 1));
        }
        Syntax.ebnf(doubling + "r60 ::= \"x\"\n");
        assertThrows(UzuException.GrammarUnsupported.class, () -> Syntax.ebnf(chain + "r1900 ::= r1 \n"));
    }
}
