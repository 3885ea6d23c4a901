package uzu.generate;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import uzu.tokenizer.TextStream;
import uzu.tokenizer.Tokenizer;

/** Every token is a character, so that a text tells its tokens; none is special. */
record CharacterTokenizer(int size) implements Tokenizer {
    private static final int FIRST = '\u4e00';

    /** The tokens of a text. */
    static int[] tokens(String text) {
        return text.chars().map(character -> character - FIRST).toArray();
    }

    private static String character(int id) {
        return Character.toString(FIRST + id);
    }

    @Override
    public int[] encode(String text, boolean parseSpecial) {
        return tokens(text);
    }

    @Override
    public byte[] bytes(int id) {
        return character(id).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean isSpecial(int id) {
        return false;
    }

    @Override
    public OptionalInt id(String piece) {
        return IntStream.of(tokens(piece)).filter(id -> id >= 0 && id < size).findFirst();
    }

    @Override
    public OptionalInt bos() {
        return OptionalInt.empty();
    }

    @Override
    public OptionalInt eos() {
        return OptionalInt.empty();
    }

    @Override
    public boolean addsBos() {
        return false;
    }

    @Override
    public int[] endOfGeneration() {
        return new int[0];
    }

    @Override
    public TextStream stream(Set<String> visible) {
        return new TextStream() {
            @Override
            public String next(int id) {
                return character(id);
            }

            @Override
            public String flush() {
                return "";
            }
        };
    }
}
