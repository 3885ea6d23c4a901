package uzu.tokenizer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.tokenizer.AddedTokens.Token;
import uzu.tokenizer.Vocabulary.Kind;

/** Makes a tokenizer from tokenizer.json and tokenizer_config.json. */
final class JsonTokenizer {
    private static final Pattern BYTE = Pattern.compile("<0x[0-9A-F]{2}>");

    private final TokenizerJson json;
    private final JsonNode model;
    private final List<Token> raw = new ArrayList<>();
    private final List<Token> normalized = new ArrayList<>();

    private JsonTokenizer(TokenizerJson json) {
        this.json = json;
        this.model = json.model();
    }

    static Tokenizer read(Path file, @Nullable JsonNode config) {
        return new JsonTokenizer(TokenizerJson.read(file)).build(config);
    }

    private Tokenizer build(@Nullable JsonNode config) {
        String type = model.path("type").asString("BPE");
        if (!type.equals("BPE") || json.size() == 0) {
            throw json.unsupported("model.type", type.equals("BPE") ? "without vocabulary" : type);
        }
        for (String field : List.of("dropout", "continuing_subword_prefix", "end_of_word_suffix")) {
            JsonNode value = model.path(field);
            if (!value.asString("").isEmpty() && value.asDouble(1) != 0) {
                throw json.unsupported("model." + field, value.toString());
            }
        }
        JsonPipeline pipeline = new JsonPipeline(json);
        readAddedTokens(pipeline.normalizer());
        Vocabulary vocabulary = vocabulary();
        boolean byteFallback = model.path("byte_fallback").asBoolean(false);
        var spelling = new Bpe.Spelling(
                pipeline.byteLevel(),
                model.path("ignore_merges").asBoolean(false),
                unknown(vocabulary),
                model.path("fuse_unk").asBoolean(false));
        return new BpeTokenizer(
                vocabulary,
                new AddedTokens(raw),
                pipeline.normalizer(),
                new AddedTokens(normalized),
                pipeline.prefix(),
                pipeline.preTokenizer(),
                new Bpe(vocabulary, json.merges(vocabulary), spelling, byteFallback),
                pipeline.decoding(),
                roles(vocabulary, config));
    }

    private void readAddedTokens(Normalizer normalizer) {
        for (JsonNode node : json.part("added_tokens")) {
            String content = node.path("content").asString("");
            int id = node.path("id").asInt(-1);
            json.name(id, content);
            boolean special = node.path("special").asBoolean(false);
            boolean afterNormalizing = node.path("normalized").asBoolean(!special);
            Token token = new Token(
                    id,
                    afterNormalizing ? normalizer.apply(content) : content,
                    special,
                    node.path("single_word").asBoolean(false),
                    node.path("lstrip").asBoolean(false),
                    node.path("rstrip").asBoolean(false));
            (afterNormalizing ? normalized : raw).add(token);
        }
    }

    private Vocabulary vocabulary() {
        @Nullable String[] pieces = new @Nullable String[json.size()];
        Kind[] kinds = new Kind[pieces.length];
        boolean byteFallback = model.path("byte_fallback").asBoolean(false);
        for (int id = 0; id < pieces.length; id++) {
            String piece = json.piece(id);
            pieces[id] = piece == null ? null : Utf8.scrub(piece);
            kinds[id] = piece != null && byteFallback && BYTE.matcher(piece).matches() ? Kind.BYTE : Kind.NORMAL;
        }
        for (List<Token> tokens : List.of(raw, normalized)) {
            tokens.forEach(token -> kinds[token.id()] = token.special() ? Kind.CONTROL : Kind.USER);
        }
        return new Vocabulary(pieces, kinds);
    }

    private int unknown(Vocabulary vocabulary) {
        JsonNode token = model.path("unk_token");
        return token.isString() ? known(vocabulary, token.asString(), "model.unk_token") : -1;
    }

    private int known(Vocabulary vocabulary, String piece, String field) {
        int id = vocabulary.find(piece);
        if (id < 0) {
            throw json.corrupt(field + " is \"" + piece + "\", which the vocabulary lacks", field);
        }
        return id;
    }

    private BpeTokenizer.Roles roles(Vocabulary vocabulary, @Nullable JsonNode config) {
        String first = firstOfTemplate(json.part("post_processor"));
        int bos = role(vocabulary, config, "bos_token");
        boolean addsBos = first != null;
        if (bos < 0 && first != null) {
            bos = known(vocabulary, first, "post_processor");
        }
        if (config != null && config.path("add_bos_token").isBoolean()) {
            addsBos = config.path("add_bos_token").asBoolean() && bos >= 0;
        }
        return BpeTokenizer.roles(vocabulary, bos, role(vocabulary, config, "eos_token"), addsBos);
    }

    /** A token named by tokenizer_config.json, as a string or as an object; -1 if it names none. */
    private int role(Vocabulary vocabulary, @Nullable JsonNode config, String name) {
        if (config == null) {
            return -1;
        }
        JsonNode token = config.path(name).isObject() ? config.path(name).path("content") : config.path(name);
        return token.isString() ? known(vocabulary, token.asString(), name) : -1;
    }

    /** The special token that the post-processor puts before a text, or null. */
    private @Nullable String firstOfTemplate(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return null;
        }
        String type = node.path("type").asString("");
        switch (type) {
            case "ByteLevel" -> {
                return null;
            }
            case "TemplateProcessing" -> {
                JsonNode token =
                        node.path("single").path(0).path("SpecialToken").path("id");
                return token.isString() ? token.asString() : null;
            }
            case "Sequence" -> {
                String found = null;
                for (JsonNode part : node.path("processors")) {
                    String first = firstOfTemplate(part);
                    found = first == null ? found : first;
                }
                return found;
            }
            default -> throw json.unsupported("post_processor", type);
        }
    }
}
