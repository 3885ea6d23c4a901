package uzu.tokenizer;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import uzu.UzuException;
import uzu.format.Metadata;
import uzu.tokenizer.Normalizer.Prepend;
import uzu.tokenizer.Normalizer.Replace;
import uzu.tokenizer.Normalizer.Step;
import uzu.tokenizer.Normalizer.Unicode;
import uzu.tokenizer.Vocabulary.Kind;

/** Reads the {@code tokenizer.ggml.*} keys of a GGUF file. */
final class GgufTokenizer {
    private static final String KEY = "tokenizer.ggml.";
    private static final String SPACE = "\u2581";

    private final Metadata metadata;
    private final Vocabulary vocabulary;

    private GgufTokenizer(Metadata metadata) {
        this.metadata = metadata;
        this.vocabulary = vocabulary(metadata);
    }

    static Tokenizer read(Metadata metadata) {
        String model = metadata.string(KEY + "model");
        return switch (model) {
            case "gpt2" -> new GgufTokenizer(metadata).byteLevel();
            case "llama" -> new GgufTokenizer(metadata).sentencePiece();
            case "gemma4" -> new GgufTokenizer(metadata).gemma4();
            default ->
                throw new UzuException.ModelUnsupported(
                        "Tokenizer model \"" + model + "\" is not supported; gpt2, llama and gemma4 are",
                        Map.of("field", KEY + "model", "value", model));
        };
    }

    private Tokenizer byteLevel() {
        String pre = metadata.stringOr(KEY + "pre", null);
        if (pre == null) {
            throw new UzuException.ModelUnsupported(
                    "The file does not say which pre-tokenizer its vocabulary was made for (" + KEY + "pre)",
                    Map.of("field", KEY + "pre"));
        }
        PreTokenizer preTokenizer = GgufPreTokenizers.named(pre);
        List<Step> steps = GgufPreTokenizers.composes(pre) ? List.of(new Unicode(Form.NFC)) : List.of();
        boolean llama3 = GgufPreTokenizers.isLlama3(pre);
        var spelling = new Bpe.Spelling(true, llama3, -1, false);
        var bpe = new Bpe(vocabulary, rankedMerges(), spelling, false);
        var decoding = new BpeTokenizer.Decoding(true, false);
        return tokenizer(new Normalizer(steps), preTokenizer, bpe, decoding, llama3);
    }

    private Tokenizer sentencePiece() {
        float[] scores = metadata.floats(KEY + "scores");
        checkLength("scores", scores.length, vocabulary.size());
        for (int id = 0; id < scores.length; id++) {
            if (Float.isNaN(scores[id])) {
                throw corrupt("The score of token " + id + " is not a number", "scores");
            }
        }
        return spaced(new ScoredMerges(vocabulary, scores), metadata.boolOr(KEY + "add_space_prefix", true));
    }

    private Tokenizer gemma4() {
        return spaced(rankedMerges(), metadata.boolOr(KEY + "add_space_prefix", false));
    }

    private Tokenizer spaced(Merges merges, boolean spacePrefix) {
        List<Step> steps = new ArrayList<>();
        if (spacePrefix) {
            steps.add(new Prepend(SPACE));
        }
        steps.add(Replace.literal(" ", SPACE));
        var spelling = new Bpe.Spelling(false, false, role("unknown", 0), true);
        var bpe = new Bpe(vocabulary, merges, spelling, true);
        var decoding = new BpeTokenizer.Decoding(false, spacePrefix);
        return tokenizer(new Normalizer(steps), PreTokenizer.NONE, bpe, decoding, true);
    }

    private Tokenizer tokenizer(
            Normalizer normalizer,
            PreTokenizer preTokenizer,
            Bpe bpe,
            BpeTokenizer.Decoding decoding,
            boolean addsBosByDefault) {
        List<AddedTokens.Token> added = new ArrayList<>();
        for (int id = 0; id < vocabulary.size(); id++) {
            Kind kind = vocabulary.kind(id);
            if (kind == Kind.USER || kind == Kind.CONTROL || kind == Kind.UNKNOWN) {
                added.add(AddedTokens.Token.plain(id, vocabulary.piece(id), kind != Kind.USER));
            }
        }
        int bos = role("bos", -1);
        boolean addsBos = metadata.boolOr(KEY + "add_bos_token", addsBosByDefault && bos >= 0);
        if (addsBos && bos < 0) {
            throw corrupt("Texts are to begin with a BOS token, but the file names none", "bos_token_id");
        }
        return new BpeTokenizer(
                vocabulary,
                new AddedTokens(added),
                normalizer,
                new AddedTokens(List.of()),
                Prefix.NONE,
                preTokenizer,
                bpe,
                decoding,
                BpeTokenizer.roles(vocabulary, bos, role("eos", -1), addsBos, role("eot", -1), role("eom", -1)));
    }

    private int role(String name, int otherwise) {
        String key = KEY + name + "_token_id";
        long id = metadata.integerOr(key, otherwise);
        // Files of some converters write the unsigned -1 for "none".
        if (id == 0xFFFFFFFFL) {
            return -1;
        }
        if (id < -1 || id >= vocabulary.size()) {
            throw corrupt("Token id " + id + " is outside the vocabulary of " + vocabulary.size(), name + "_token_id");
        }
        return (int) id;
    }

    private static Vocabulary vocabulary(Metadata metadata) {
        String[] pieces = metadata.strings(KEY + "tokens");
        Kind[] kinds = new Kind[pieces.length];
        Kind[] all = Kind.values();
        if (metadata.has(KEY + "token_type")) {
            int[] types = metadata.ints(KEY + "token_type");
            checkLength("token_type", types.length, pieces.length);
            for (int id = 0; id < types.length; id++) {
                if (types[id] < 1 || types[id] >= all.length) {
                    throw corrupt("Token " + id + " has the unknown type " + types[id], "token_type");
                }
                kinds[id] = all[types[id]];
                if (kinds[id] == Kind.BYTE && !pieces[id].matches("<0x[0-9A-Fa-f]{2}>")) {
                    throw corrupt("Token " + id + " is of type byte but spelled \"" + pieces[id] + "\"", "token_type");
                }
            }
        } else {
            java.util.Arrays.fill(kinds, Kind.NORMAL);
        }
        return new Vocabulary(pieces, kinds);
    }

    private RankedMerges rankedMerges() {
        String[] lines = metadata.strings(KEY + "merges");
        RankedMerges merges = new RankedMerges(lines.length);
        for (int rank = 0; rank < lines.length; rank++) {
            // A file's strings are UTF-8, so without lone surrogates.
            byte[] line = lines[rank].getBytes(StandardCharsets.UTF_8);
            // A piece of gemma4 may itself begin with the separator's character.
            int space = 1;
            while (space < line.length && line[space] != ' ') {
                space++;
            }
            if (space >= line.length) {
                throw corrupt("Merge " + rank + " is no pair: \"" + lines[rank] + "\"", "merges");
            }
            System.arraycopy(line, space + 1, line, space, line.length - space - 1);
            merges.add(vocabulary, line, space, line.length - 1, rank);
        }
        return merges;
    }

    private static void checkLength(String field, int length, int wanted) {
        if (length != wanted) {
            throw corrupt("The vocabulary has " + wanted + " tokens but " + length + " entries of " + field, field);
        }
    }

    private static UzuException corrupt(String message, String field) {
        return new UzuException.ModelCorrupt(message, Map.of("field", KEY + field));
    }
}
