package uzu.tokenizer;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import uzu.UzuException;

/** Added tokens, normalizer, pre-tokenizer, byte-pair encoding, in this order. */
final class BpeTokenizer implements Tokenizer {
    /** Spellings of the tokens that end a turn or a text in published vocabularies. */
    private static final Set<String> ENDS = Set.of(
            "<|endoftext|>",
            "<|end_of_text|>",
            "<|im_end|>",
            "<|eot_id|>",
            "<|eom_id|>",
            "<|end|>",
            "<|return|>",
            "<|call|>",
            "<end_of_turn>",
            "<end_of_utterance>",
            "<turn|>",
            "<|assistant_end|>",
            "<|user|>",
            "<|observation|>",
            "<|tool_response>",
            "<start_function_response>",
            "<eos>",
            "</s>",
            "<EOT>",
            "[EOT]",
            "[EOS]",
            "<\uFF5Cend\u2581of\u2581sentence\uFF5C>");

    /**
     * How ids become text.
     *
     * @param byteLevel whether pieces are spelled in the byte alphabet; else {@code ▁} is a space
     * @param stripsSpace whether a text's first space is the prefix that encoding added
     */
    record Decoding(boolean byteLevel, boolean stripsSpace) {}

    /** The tokens with a role; -1 for one that the model does not have. */
    record Roles(int bos, int eos, boolean addsBos, int[] ends) {}

    private final Vocabulary vocabulary;
    private final AddedTokens raw;
    private final Normalizer normalizer;
    private final AddedTokens normalized;
    private final Prefix prefix;
    private final PreTokenizer preTokenizer;
    private final Bpe bpe;
    private final Decoding decoding;
    private final Roles roles;

    BpeTokenizer(
            Vocabulary vocabulary,
            AddedTokens raw,
            Normalizer normalizer,
            AddedTokens normalized,
            Prefix prefix,
            PreTokenizer preTokenizer,
            Bpe bpe,
            Decoding decoding,
            Roles roles) {
        this.vocabulary = vocabulary;
        this.raw = raw;
        this.normalizer = normalizer;
        this.normalized = normalized;
        this.prefix = prefix;
        this.preTokenizer = preTokenizer;
        this.bpe = bpe;
        this.decoding = decoding;
        this.roles = roles;
    }

    /** Where these end a reply, {@code <|end|>} only ends one of its messages. */
    private static final List<String> HARMONY_ENDS = List.of("<|return|>", "<|call|>");

    /** The named roles; generation ends at eos, at {@code more}, and at control tokens spelled like an end. */
    static Roles roles(Vocabulary vocabulary, int bos, int eos, boolean addsBos, int... more) {
        boolean harmony = HARMONY_ENDS.stream().allMatch(end -> vocabulary.find(end) >= 0);
        IntStream spelled = ENDS.stream()
                .filter(end -> !(harmony && end.equals("<|end|>")))
                .mapToInt(vocabulary::find)
                .filter(id -> id >= 0 && vocabulary.kind(id) == Vocabulary.Kind.CONTROL);
        int[] ends = IntStream.concat(IntStream.concat(spelled, IntStream.of(more)), IntStream.of(eos))
                .filter(id -> id >= 0)
                .sorted()
                .distinct()
                .toArray();
        return new Roles(bos, eos, addsBos, ends);
    }

    @Override
    public int size() {
        return vocabulary.size();
    }

    @Override
    public int[] encode(String text, boolean parseSpecial) {
        Encoding run = new Encoding(parseSpecial);
        raw.split(Utf8.scrub(text), parseSpecial, run);
        return run.ids.from(0);
    }

    /** One call's state. */
    private final class Encoding implements AddedTokens.Parts {
        private final boolean parseSpecial;
        private final Ids ids = new Ids();
        private final Symbols symbols = new Symbols();
        private boolean first = true;

        Encoding(boolean parseSpecial) {
            this.parseSpecial = parseSpecial;
        }

        @Override
        public void token(int id) {
            first = false;
            ids.add(id);
        }

        @Override
        public void text(String part) {
            normalized.split(normalizer.apply(part), parseSpecial, new AddedTokens.Parts() {
                @Override
                public void token(int id) {
                    Encoding.this.token(id);
                }

                @Override
                public void text(String plain) {
                    preTokenizer.split(
                            prefix.apply(plain, first), (text, from, to) -> bpe.encode(text, from, to, symbols, ids));
                    first = false;
                }
            });
        }
    }

    @Override
    public byte[] bytes(int id) {
        check(id);
        byte[] spelling = vocabulary.spelling(id);
        return switch (vocabulary.kind(id)) {
            case BYTE ->
                new byte[] {(byte) Integer.parseInt(vocabulary.piece(id).substring(3, 5), 16)};
            case NORMAL -> decoding.byteLevel ? letters(spelling) : spaces(spelling);
            case USER -> decoding.byteLevel ? spelling : spaces(spelling);
            case HOLE, UNKNOWN, CONTROL, UNUSED -> spelling;
        };
    }

    private byte[] letters(byte[] spelling) {
        byte[] bytes = new byte[spelling.length];
        int n = 0;
        for (int i = 0; i < spelling.length; i++) {
            int letter = spelling[i] & 0xFF;
            // The alphabet ends at U+0143: two bytes of UTF-8 at most.
            if (letter >= 0xE0) {
                return spelling;
            }
            if (letter >= 0xC0) {
                letter = (letter & 0x1F) << 6 | spelling[++i] & 0x3F;
            }
            int b = ByteAlphabet.unsignedByte(letter);
            if (b < 0) {
                return spelling;
            }
            bytes[n++] = (byte) b;
        }
        return Arrays.copyOf(bytes, n);
    }

    private static byte[] spaces(byte[] spelling) {
        byte[] bytes = new byte[spelling.length];
        int n = 0;
        for (int i = 0; i < spelling.length; i++) {
            boolean space = i + 2 < spelling.length
                    && spelling[i] == (byte) 0xE2
                    && spelling[i + 1] == (byte) 0x96
                    && spelling[i + 2] == (byte) 0x81;
            bytes[n++] = space ? (byte) ' ' : spelling[i];
            i += space ? 2 : 0;
        }
        return Arrays.copyOf(bytes, n);
    }

    @Override
    public boolean isSpecial(int id) {
        check(id);
        return vocabulary.kind(id).special();
    }

    private void check(int id) {
        if (id < 0 || id >= vocabulary.size()) {
            throw new UzuException.InvalidArgument(
                    "Token id " + id + " is outside the vocabulary of " + vocabulary.size(),
                    Map.of("id", Integer.toString(id)));
        }
    }

    @Override
    public OptionalInt id(String piece) {
        return optional(vocabulary.find(piece));
    }

    @Override
    public OptionalInt bos() {
        return optional(roles.bos);
    }

    @Override
    public OptionalInt eos() {
        return optional(roles.eos);
    }

    private static OptionalInt optional(int id) {
        return id < 0 ? OptionalInt.empty() : OptionalInt.of(id);
    }

    @Override
    public boolean addsBos() {
        return roles.addsBos;
    }

    @Override
    public int[] endOfGeneration() {
        return roles.ends.clone();
    }

    @Override
    public TextStream stream(Set<String> visible) {
        return new Utf8TextStream(this, decoding.stripsSpace, visible);
    }
}
