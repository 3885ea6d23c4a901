package uzu.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Utf8Test {
    @ParameterizedTest
    @CsvSource({
        "41, A",
        "C3A9, é",
        "E282AC, €",
        "F09F9880, \uD83D\uDE00",
        "F48FBFBF, \uDBFF\uDFFF",
        // One U+FFFD for each maximal subpart, as the Unicode standard recommends.
        "FF, \uFFFD",
        "C0AF, \uFFFD\uFFFD",
        "E08080, \uFFFD\uFFFD\uFFFD",
        "EDA080, \uFFFD\uFFFD\uFFFD",
        "F4908080, \uFFFD\uFFFD\uFFFD\uFFFD",
        "F09F9841, \uFFFDA",
        "E282, \uFFFD",
        "C3C3A9, \uFFFDé",
        "F09F98F09F9880, \uFFFD\uD83D\uDE00",
    })
    void decodesAndReplacesIllFormedBytes(String hex, String expected) {
        Utf8 utf8 = new Utf8();
        StringBuilder text = new StringBuilder();
        for (byte b : HexFormat.of().parseHex(hex)) {
            utf8.decode(new byte[] {b}, text);
        }
        utf8.end(text);
        assertEquals(expected, text.toString());
    }

    @Test
    void holdsBackAnUnfinishedCharacter() {
        Utf8 utf8 = new Utf8();
        StringBuilder text = new StringBuilder();
        utf8.decode(new byte[] {'a', (byte) 0xF0, (byte) 0x9F}, text);
        assertEquals("a", text.toString());
        utf8.decode(new byte[] {(byte) 0x98, (byte) 0x80}, text);
        assertEquals("a\uD83D\uDE00", text.toString());
    }

    @Test
    void replacesLoneSurrogatesOnly() {
        assertEquals("a\uFFFDb\uD83D\uDE00\uFFFD\uFFFD", Utf8.scrub("a\uD83Db\uD83D\uDE00\uDE00\uD83D"));
        String clean = "a\uD83D\uDE00";
        assertEquals(clean, Utf8.scrub(clean));
    }

    @Test
    void encodesEveryCodePointAsJavaDoes() {
        byte[] out = new byte[6];
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                String text = Character.toString(c);
                int end = Utf8.encode(text, 0, text.length(), out, 0);
                assertArrayEquals(text.getBytes(StandardCharsets.UTF_8), java.util.Arrays.copyOf(out, end), text);
                assertEquals(end, Utf8.length(out[0]));
            }
        }
    }
}
