package uzu.tokenizer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import uzu.UzuException;

/**
 * A tokenizer.json: the vocabulary by id, and everything but vocabulary and merges as a tree. The two big parts are
 * streamed, merges in a second pass once the vocabulary is known, since trees of them take hundreds of megabytes.
 */
final class TokenizerJson {
    /** No published vocabulary has a tenth of it; an id beyond would only make us allocate. */
    private static final int MOST_IDS = 1 << 22;

    private final Path file;
    private final ObjectNode root = JsonNodeFactory.instance.objectNode();
    private final ObjectNode model = JsonNodeFactory.instance.objectNode();
    private final List<@Nullable String> pieces = new ArrayList<>();
    private int mergeCount;

    private TokenizerJson(Path file) {
        this.file = file;
    }

    static TokenizerJson read(Path file) {
        TokenizerJson json = new TokenizerJson(file);
        json.parse(parser -> json.readRoot(parser));
        return json;
    }

    Path file() {
        return file;
    }

    /** A part of the file, a missing node if it is absent. */
    JsonNode part(String name) {
        return root.path(name);
    }

    /** The fields of {@code model} but {@code vocab} and {@code merges}. */
    JsonNode model() {
        return model;
    }

    int size() {
        return pieces.size();
    }

    @Nullable String piece(int id) {
        return pieces.get(id);
    }

    /** Gives {@code id} a piece; it may have the same one already. */
    void name(int id, String piece) {
        if (id < 0 || id >= MOST_IDS) {
            throw corrupt("Token \"" + piece + "\" has the impossible id " + id, "vocab");
        }
        while (pieces.size() <= id) {
            pieces.add(null);
        }
        String other = pieces.set(id, piece);
        if (other != null && !other.equals(piece)) {
            throw corrupt("Id " + id + " is both \"" + other + "\" and \"" + piece + "\"", "vocab");
        }
    }

    RankedMerges merges(Vocabulary vocabulary) {
        RankedMerges merges = new RankedMerges(mergeCount);
        parse(parser -> {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean model = parser.currentName().equals("model");
                if (parser.nextToken() != JsonToken.START_OBJECT || !model) {
                    parser.skipChildren();
                    continue;
                }
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    boolean wanted = parser.currentName().equals("merges");
                    parser.nextToken();
                    if (wanted) {
                        readMerges(parser, vocabulary, merges);
                    } else {
                        parser.skipChildren();
                    }
                }
            }
        });
        return merges;
    }

    private interface Reading {
        void from(JsonParser parser);
    }

    private void parse(Reading reading) {
        try (JsonParser parser = JsonMapper.shared().createParser(file)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw corrupt("Not a JSON object", "");
            }
            reading.from(parser);
        } catch (JacksonException e) {
            throw new UzuException.ModelCorrupt(
                    file + ": " + e.getOriginalMessage(), Map.of("path", file.toString()), e);
        }
    }

    private void readRoot(JsonParser parser) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("model") && value == JsonToken.START_OBJECT) {
                readModel(parser);
            } else {
                root.set(name, parser.<JsonNode>readValueAsTree());
            }
        }
    }

    private void readModel(JsonParser parser) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("vocab") && value == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String piece = parser.currentName();
                    if (parser.nextToken() != JsonToken.VALUE_NUMBER_INT) {
                        throw corrupt("The id of \"" + piece + "\" is not a whole number", "vocab");
                    }
                    name(parser.getIntValue(), piece);
                }
            } else if (name.equals("merges") && value == JsonToken.START_ARRAY) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    parser.skipChildren();
                    mergeCount++;
                }
            } else if (name.equals("vocab")) {
                // Unigram's list of pieces with scores: the model's type tells, and is refused later.
                parser.skipChildren();
            } else {
                model.set(name, parser.<JsonNode>readValueAsTree());
            }
        }
    }

    /** Merges are pairs, or in older files strings with a space between the two pieces. */
    private void readMerges(JsonParser parser, Vocabulary vocabulary, RankedMerges merges) {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw corrupt("The merges are not a list", "merges");
        }
        int rank = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            String left;
            String right;
            if (token == JsonToken.START_ARRAY) {
                left = parser.nextStringValue();
                right = parser.nextStringValue();
                if (left == null || right == null || parser.nextToken() != JsonToken.END_ARRAY) {
                    throw corrupt("Merge " + rank + " is no pair of strings", "merges");
                }
            } else {
                String line = token == JsonToken.VALUE_STRING ? parser.getString() : "";
                int space = line.indexOf(' ', 1);
                if (space < 0) {
                    throw corrupt("Merge " + rank + " is no pair: \"" + line + "\"", "merges");
                }
                left = line.substring(0, space);
                right = line.substring(space + 1);
            }
            merges.add(vocabulary, Utf8.scrub(left), Utf8.scrub(right), rank++);
        }
    }

    UzuException corrupt(String message, String field) {
        return new UzuException.ModelCorrupt(file + ": " + message, Map.of("path", file.toString(), "field", field));
    }

    UzuException unsupported(String field, String value) {
        return new UzuException.ModelUnsupported(
                file + ": " + field + " " + value + " is not supported",
                Map.of("path", file.toString(), "field", field, "value", value));
    }
}
