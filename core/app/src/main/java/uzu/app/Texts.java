package uzu.app;

import java.util.stream.IntStream;
import uzu.UzuException;
import uzu.format.Checkpoint;
import uzu.format.Gguf;
import uzu.tokenizer.Tokenizer;

/** Raw text as a model reads it: its ids, with BOS where the model starts with one. */
final class Texts {
    private Texts() {}

    static int[] ids(String model, String text) {
        try (Checkpoint checkpoint = Models.open(model)) {
            if (!(checkpoint instanceof Gguf gguf)) {
                throw new UzuException.InvalidArgument(model + " must be a GGUF file for this comparison");
            }
            Tokenizer tokenizer = Tokenizer.of(gguf.metadata());
            IntStream ids = IntStream.of(tokenizer.encode(text, false));
            return (tokenizer.addsBos()
                            ? IntStream.concat(IntStream.of(tokenizer.bos().orElseThrow()), ids)
                            : ids)
                    .toArray();
        }
    }
}
