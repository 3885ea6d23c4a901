package uzu.tokenizer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import uzu.tokenizer.AddedTokens.Token;

class AddedTokensTest {
    private static List<String> split(String text, boolean special, Token... tokens) {
        List<String> parts = new ArrayList<>();
        new AddedTokens(List.of(tokens)).split(text, special, new AddedTokens.Parts() {
            @Override
            public void text(String part) {
                parts.add(part);
            }

            @Override
            public void token(int id) {
                parts.add("#" + id);
            }
        });
        return parts;
    }

    @Test
    void theLongestTokenAtTheLeftmostPlaceWins() {
        Token[] tokens = {Token.plain(1, "<a>", false), Token.plain(2, "<a><b>", false), Token.plain(3, "a><", false)};
        assertEquals(List.of("x", "#2", "y", "#1", "<b"), split("x<a><b>y<a><b", false, tokens));
    }

    @Test
    void specialTokensAreTextUnlessAskedFor() {
        Token[] tokens = {Token.plain(1, "<end>", true), Token.plain(2, "<tool>", false)};
        assertEquals(List.of("#2", "<end>"), split("<tool><end>", false, tokens));
        assertEquals(List.of("#2", "#1"), split("<tool><end>", true, tokens));
    }

    @Test
    void aSpecialTokenDoesNotHideAShorterPlainOne() {
        Token[] tokens = {Token.plain(1, "<a>", false), Token.plain(2, "<a>b", true)};
        assertEquals(List.of("#1", "b"), split("<a>b", false, tokens));
    }

    @Test
    void whiteSpaceGoesWithStrippingTokens() {
        Token left = new Token(1, "<l>", false, false, true, false);
        Token right = new Token(2, "<r>", false, false, false, true);
        assertEquals(List.of("a", "#1", " b ", "#2", "c"), split("a \n<l> b <r>\t\u00A0c", false, left, right));
        assertEquals(List.of("#2", "#1"), split("<r>  <l>", false, left, right));
    }

    @Test
    void singleWordsTouchNoLetters() {
        Token word = new Token(1, "ab", false, true, false, false);
        assertEquals(List.of("#1", " abc ", "#1", "-", "#1", ", _ab"), split("ab abc ab-ab, _ab", false, word));
    }
}
