package uzu.tokenizer;

import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.format.Metadata;

/** Text to token ids and back. Immutable and usable from any thread. */
public interface Tokenizer {
    /**
     * The tokenizer of a GGUF file: byte-level BPE ({@code gpt2}), SentencePiece BPE ({@code llama}) or Gemma 4's.
     *
     * @throws uzu.UzuException.ModelUnsupported for another model or pre-tokenizer, naming it
     * @throws uzu.UzuException.ModelCorrupt for a vocabulary that contradicts itself
     */
    static Tokenizer of(Metadata metadata) {
        return GgufTokenizer.read(metadata);
    }

    /**
     * The tokenizer of a {@code tokenizer.json} whose model is BPE.
     *
     * @param config the {@code tokenizer_config.json} beside it, which names BOS and EOS; null if there is none
     * @throws uzu.UzuException.ModelUnsupported for a model, normalizer, pre-tokenizer or decoder that is not known,
     *     naming it
     * @throws uzu.UzuException.ModelCorrupt for a file that is no JSON or contradicts itself
     */
    static Tokenizer of(Path file, @Nullable JsonNode config) {
        return JsonTokenizer.read(file, config);
    }

    /** Number of ids; a model's logits may have more columns, which are never drawn. */
    int size();

    /**
     * Ids of {@code text}, without BOS or EOS.
     *
     * @param parseSpecial whether special tokens written out in the text become their ids (rendered templates) or are
     *     encoded as plain text (what a user typed)
     */
    int[] encode(String text, boolean parseSpecial);

    /** The UTF-8 bytes that {@code id} stands for; for a special token the bytes of its name. */
    byte[] bytes(int id);

    /** Whether {@code id} is a control token, not shown to users. */
    boolean isSpecial(int id);

    /** The id of the token spelled exactly {@code piece} in the vocabulary. */
    OptionalInt id(String piece);

    OptionalInt bos();

    OptionalInt eos();

    /** Whether a raw text starts with {@link #bos()}; rendered templates write their own. */
    boolean addsBos();

    /**
     * The ids that end a reply or a text, in ascending order: EOS, end of turn, end of message, and control tokens with
     * a well-known spelling of these ({@code <|im_end|>}, {@code <|eot_id|>}, {@code <end_of_turn>}, …).
     */
    int[] endOfGeneration();

    /** A decoder for one stream of ids, which gives no special token. */
    default TextStream stream() {
        return stream(Set.of());
    }

    /**
     * A decoder for one stream of ids.
     *
     * @param visible special tokens that are text nevertheless, as they are spelled; those the vocabulary hasn't are
     *     passed over
     */
    TextStream stream(Set<String> visible);
}
