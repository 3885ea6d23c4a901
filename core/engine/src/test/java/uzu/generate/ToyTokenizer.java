package uzu.generate;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.Set;
import uzu.tokenizer.TextStream;
import uzu.tokenizer.Tokenizer;

/** Every byte is a token; 256 begins and 257 ends a text. */
public final class ToyTokenizer implements Tokenizer {
    public static final int BEGIN = 256;
    public static final int END = 257;

    @Override
    public int size() {
        return 258;
    }

    @Override
    public int[] encode(String text, boolean parseSpecial) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] ids = new int[bytes.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = bytes[i] & 0xFF;
        }
        return ids;
    }

    @Override
    public byte[] bytes(int id) {
        return switch (id) {
            case BEGIN -> "<s>".getBytes(StandardCharsets.UTF_8);
            case END -> "</s>".getBytes(StandardCharsets.UTF_8);
            default -> new byte[] {(byte) id};
        };
    }

    @Override
    public boolean isSpecial(int id) {
        return id >= BEGIN;
    }

    @Override
    public OptionalInt id(String piece) {
        return switch (piece) {
            case "<s>" -> OptionalInt.of(BEGIN);
            case "</s>" -> OptionalInt.of(END);
            default -> OptionalInt.empty();
        };
    }

    @Override
    public OptionalInt bos() {
        return OptionalInt.of(BEGIN);
    }

    @Override
    public OptionalInt eos() {
        return OptionalInt.of(END);
    }

    @Override
    public boolean addsBos() {
        return true;
    }

    @Override
    public int[] endOfGeneration() {
        return new int[] {END};
    }

    @Override
    public TextStream stream(Set<String> visible) {
        return new Utf8Stream();
    }

    private static final class Utf8Stream implements TextStream {
        private byte[] held = new byte[0];

        @Override
        public String next(int id) {
            if (id >= BEGIN) {
                return "";
            }
            held = java.util.Arrays.copyOf(held, held.length + 1);
            held[held.length - 1] = (byte) id;
            int needed = (held[0] & 0x80) == 0 ? 1 : (held[0] & 0xE0) == 0xC0 ? 2 : (held[0] & 0xF0) == 0xE0 ? 3 : 4;
            return held.length >= needed ? flush() : "";
        }

        @Override
        public String flush() {
            String text = new String(held, StandardCharsets.UTF_8);
            held = new byte[0];
            return text;
        }
    }
}
