package uzu.tokenizer;

import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import uzu.tokenizer.Normalizer.Lowercase;
import uzu.tokenizer.Normalizer.Prepend;
import uzu.tokenizer.Normalizer.Replace;
import uzu.tokenizer.Normalizer.Step;
import uzu.tokenizer.Normalizer.Strip;
import uzu.tokenizer.Normalizer.Unicode;
import uzu.tokenizer.PreTokenizer.Behavior;
import uzu.tokenizer.PreTokenizer.Stage;

/** Reads normalizer, pre-tokenizer and decoder of a tokenizer.json; what it does not know, it refuses by name. */
final class JsonPipeline {
    private final TokenizerJson json;
    private final List<Step> steps = new ArrayList<>();
    private final List<Stage> stages = new ArrayList<>();
    private Prefix prefix = Prefix.NONE;
    private boolean byteLevel;
    private boolean byteDecoder;
    private boolean stripsSpace;

    JsonPipeline(TokenizerJson json) {
        this.json = json;
        readNormalizer(json.part("normalizer"));
        readPreTokenizer(json.part("pre_tokenizer"));
        readDecoder(json.part("decoder"));
        if (byteLevel != byteDecoder) {
            throw json.unsupported("decoder", "unlike the pre-tokenizer (one is ByteLevel, the other not)");
        }
    }

    Normalizer normalizer() {
        return new Normalizer(List.copyOf(steps));
    }

    PreTokenizer preTokenizer() {
        return new PreTokenizer(List.copyOf(stages));
    }

    Prefix prefix() {
        return prefix;
    }

    boolean byteLevel() {
        return byteLevel;
    }

    BpeTokenizer.Decoding decoding() {
        return new BpeTokenizer.Decoding(byteLevel, stripsSpace);
    }

    private static boolean absent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private void readNormalizer(JsonNode node) {
        if (absent(node)) {
            return;
        }
        String type = node.path("type").asString("");
        switch (type) {
            case "Sequence" -> node.path("normalizers").forEach(this::readNormalizer);
            case "NFC", "NFD", "NFKC", "NFKD" -> steps.add(new Unicode(Form.valueOf(type)));
            case "Prepend" -> steps.add(new Prepend(node.path("prepend").asString("")));
            case "Replace" ->
                steps.add(new Replace(
                        pattern(node, "normalizer"), node.path("content").asString("")));
            case "Strip" ->
                steps.add(new Strip(
                        node.path("strip_left").asBoolean(false),
                        node.path("strip_right").asBoolean(false)));
            case "Lowercase" -> steps.add(new Lowercase());
            default -> throw json.unsupported("normalizer", type);
        }
    }

    private void readPreTokenizer(JsonNode node) {
        if (absent(node)) {
            return;
        }
        String type = node.path("type").asString("");
        switch (type) {
            case "Sequence" -> node.path("pretokenizers").forEach(this::readPreTokenizer);
            case "Split" ->
                stages.add(new Stage(
                        pattern(node, "pre_tokenizer"),
                        behavior(node),
                        node.path("invert").asBoolean(false)));
            case "Digits" -> {
                boolean single = node.path("individual_digits").asBoolean(false);
                stages.add(Stage.isolated(Regex.compile(single ? "\\p{N}" : "\\p{N}+")));
            }
            case "Punctuation" -> stages.add(new Stage(Regex.compile("[\\p{P}$+<=>^`|~]"), behavior(node), false));
            case "Whitespace" -> stages.add(new Stage(Regex.compile("\\w+|[^\\w\\s]+"), Behavior.REMOVED, true));
            case "WhitespaceSplit" -> stages.add(new Stage(Regex.compile("\\s"), Behavior.REMOVED, false));
            case "ByteLevel" -> {
                byteLevel = true;
                if (node.path("add_prefix_space").asBoolean(true)) {
                    setPrefix(new Prefix(" ", Prefix.Scheme.ALWAYS, false), type);
                }
                if (node.path("use_regex").asBoolean(true)) {
                    stages.add(Stage.isolated(Regex.compile(GgufPreTokenizers.GPT2)));
                }
            }
            case "Metaspace" -> {
                String space = node.path("replacement").asString("\u2581");
                setPrefix(new Prefix(space, scheme(node), true), type);
                if (node.path("split").asBoolean(true)) {
                    stages.add(new Stage(Pattern.compile(space, Pattern.LITERAL), Behavior.MERGED_WITH_NEXT, false));
                }
            }
            default -> throw json.unsupported("pre_tokenizer", type);
        }
    }

    /** A prefix changes the text, so it can only stand before the first cut. */
    private void setPrefix(Prefix wanted, String type) {
        if (!stages.isEmpty() || prefix != Prefix.NONE) {
            throw json.unsupported("pre_tokenizer", type + " behind others");
        }
        prefix = wanted;
    }

    private Prefix.Scheme scheme(JsonNode metaspace) {
        if (metaspace.has("prepend_scheme")) {
            String scheme = metaspace.path("prepend_scheme").asString("");
            return switch (scheme) {
                case "never" -> Prefix.Scheme.NEVER;
                case "first" -> Prefix.Scheme.FIRST;
                case "always" -> Prefix.Scheme.ALWAYS;
                default -> throw json.unsupported("prepend_scheme", scheme);
            };
        }
        return metaspace.path("add_prefix_space").asBoolean(true) ? Prefix.Scheme.ALWAYS : Prefix.Scheme.NEVER;
    }

    private Behavior behavior(JsonNode node) {
        String name = node.path("behavior").asString("Isolated");
        for (Behavior behavior : Behavior.values()) {
            if (name.toLowerCase(Locale.ROOT)
                    .equals(behavior.name().replace("_", "").toLowerCase(Locale.ROOT))) {
                return behavior;
            }
        }
        throw json.unsupported("behavior", name);
    }

    private Pattern pattern(JsonNode node, String field) {
        JsonNode pattern = node.path("pattern");
        if (pattern.has("String")) {
            return Pattern.compile(pattern.path("String").asString(""), Pattern.LITERAL);
        }
        String regex = pattern.path("Regex").asString("");
        try {
            return Regex.compile(regex);
        } catch (IllegalArgumentException e) {
            throw json.unsupported(field, "pattern " + regex);
        }
    }

    private void readDecoder(JsonNode node) {
        if (absent(node)) {
            return;
        }
        String type = node.path("type").asString("");
        switch (type) {
            case "Sequence" -> node.path("decoders").forEach(this::readDecoder);
            case "ByteLevel" -> byteDecoder = true;
            // Joining the pieces and the bytes among them is what decoding does anyway.
            case "Fuse", "ByteFallback" -> {}
            case "Replace" -> {
                if (!node.at("/pattern/String").asString("").equals("\u2581")
                        || !node.path("content").asString("").equals(" ")) {
                    throw json.unsupported("decoder", "Replace of " + node.path("pattern"));
                }
            }
            case "Strip" -> {
                if (!node.path("content").asString("").equals(" ")
                        || node.path("start").asInt(0) > 1
                        || node.path("stop").asInt(0) != 0) {
                    throw json.unsupported("decoder", node.toString());
                }
                stripsSpace = node.path("start").asInt(0) == 1;
            }
            case "Metaspace" -> stripsSpace = scheme(node) != Prefix.Scheme.NEVER;
            default -> throw json.unsupported("decoder", type);
        }
    }
}
