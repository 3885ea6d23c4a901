package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import uzu.UzuException;
import uzu.tokenizer.TextStream;
import uzu.tokenizer.Tokenizer;

class DraftModelTest {
    /** As much of a tokenizer as a comparison asks for; token {@code odd} is another one. */
    private record Words(int size, int odd, int first, int last) implements Tokenizer {
        @Override
        public byte[] bytes(int id) {
            return new byte[] {(byte) (id == odd ? '?' : id)};
        }

        @Override
        public OptionalInt bos() {
            return OptionalInt.of(first);
        }

        @Override
        public OptionalInt eos() {
            return OptionalInt.of(last);
        }

        @Override
        public boolean addsBos() {
            return true;
        }

        @Override
        public int[] encode(String text, boolean parseSpecial) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isSpecial(int id) {
            return false;
        }

        @Override
        public OptionalInt id(String piece) {
            return OptionalInt.empty();
        }

        @Override
        public int[] endOfGeneration() {
            return new int[] {last};
        }

        @Override
        public TextStream stream(Set<String> visible) {
            throw new UnsupportedOperationException();
        }
    }

    private static @Nullable String refusal(Tokenizer draft) {
        Tokenizer target = new Words(1000, -1, 1, 2);
        return assertThrows(
                        UzuException.InvalidArgument.class, () -> DraftModel.checkVocabulary("small", draft, target))
                .getMessage();
    }

    @Test
    void vocabulariesMayDifferInPaddingOnly() {
        DraftModel.checkVocabulary("small", new Words(1128, -1, 1, 2), new Words(1000, -1, 1, 2));
        assertEquals(
                "small can't draft for this model: it has 1129 tokens, the model 1000",
                refusal(new Words(1129, -1, 1, 2)));
        assertEquals("small can't draft for this model: it has another token 77", refusal(new Words(1000, 77, 1, 2)));
        assertEquals(
                "small can't draft for this model: it has another beginning of texts",
                refusal(new Words(1000, -1, 3, 2)));
        assertEquals(
                "small can't draft for this model: it has another end of texts", refusal(new Words(1000, -1, 1, 3)));
    }
}
