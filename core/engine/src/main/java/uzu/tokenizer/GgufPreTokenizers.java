package uzu.tokenizer;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import uzu.UzuException;
import uzu.tokenizer.PreTokenizer.Stage;

/** The pre-tokenizers that GGUF files only name ({@code tokenizer.ggml.pre}), as their tokenizer.json spells them. */
final class GgufPreTokenizers {
    static final String GPT2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

    private static final String CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|";
    private static final String LINES_AND_SPACES = "[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    private static final String LLAMA3 =
            CONTRACTION + "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+" + LINES_AND_SPACES;
    private static final String QWEN2 =
            CONTRACTION + "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+" + LINES_AND_SPACES;
    private static final String QWEN35 =
            CONTRACTION + "[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+" + LINES_AND_SPACES;

    // Escaped, since some of these characters are not in normal form and editors change them.
    private static final String CJK = "[\u4E00-\u9FA5\u0800-\u4E00\uAC00-\uD7FF]+";
    private static final String PUNCTUATION = "!-/:-~\uFF01-\uFF0F\uFF1A-\uFF5E\u2018-\u201F\u3000-\u3002";
    private static final String CASED_LETTERS = "A-Za-z"
            + "\u00B5\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u01BA\u01BC-\u01BF\u01C4-\u0293\u0295-\u02AF"
            + "\u0370-\u0373\u0376\u0377\u037B-\u037D\u037F\u0386\u0388-\u038A\u038C\u038E-\u03A1\u03A3-\u03F5"
            + "\u03F7-\u0481\u048A-\u052F\u0531-\u0556\u10A0-\u10C5\u13A0-\u13F5\u13F8-\u13FD\u1C90-\u1CBA"
            + "\u1CBD-\u1CBF\u1D00-\u1D2B\u1D6B-\u1D77\u1D79-\u1D9A\u1E00-\u1F15\u1F18-\u1F1D\u1F20-\u1F45"
            + "\u1F48-\u1F4D\u1F50-\u1F57\u1F59\u1F5B\u1F5D\u1F5F-\u1F7D\u1F80-\u1FB4\u1FB6-\u1FBC\u1FBE"
            + "\u1FC2-\u1FC4\u1FC6-\u1FCC\u1FD0-\u1FD3\u1FD6-\u1FDB\u1FE0-\u1FEC\u1FF2-\u1FF4\u1FF6-\u1FFC"
            + "\u2102\u2107\u210A-\u2113\u2115\u2119-\u211D\u2124\u2126\u2128\u212A-\u212D\u212F-\u2134\u2139"
            + "\u213C-\u213F\u2145-\u2149\u214E\u2183\u2184\u2C00-\u2C7B\u2C7E-\u2CE4\u2CEB-\u2CEE\u2CF2\u2CF3"
            + "\uA640-\uA66D\uA680-\uA69B\uA722-\uA76F\uA771-\uA787\uA78B-\uA78E\uAB70-\uABBF\uFB00-\uFB06"
            + "\uFB13-\uFB17\uFF21-\uFF3A\uFF41-\uFF5A\uD801\uDC00-\uD801\uDC4F\uD801\uDCB0-\uD801\uDCD3"
            + "\uD801\uDCD8-\uD801\uDCFB\uD803\uDC80-\uD803\uDCB2\uD803\uDCC0-\uD803\uDCF2"
            + "\uD806\uDCA0-\uD806\uDCDF\uD83A\uDD00-\uD83A\uDD43";

    private GgufPreTokenizers() {}

    static PreTokenizer named(String name) {
        return switch (name) {
            case "gpt-2", "phi-2", "mpt" -> of(GPT2);
            case "smollm", "starcoder", "refact", "command-r" -> of("\\p{N}", GPT2);
            case "llama-bpe", "llama3", "llama-v3", "lfm2" -> of(LLAMA3);
            case "qwen2", "deepseek-r1-qwen" -> of(QWEN2);
            case "qwen35" -> of(QWEN35);
            case "falcon" -> of("[\\p{P}$+<=>^`|~]+", GPT2, "[0-9][0-9][0-9]");
            case "deepseek-llm" ->
                of("[\\r\\n]", "\\s?[" + CASED_LETTERS + "]+", "\\s?[" + PUNCTUATION + "]+", "\\s+$", CJK, "\\p{N}+");
            case "deepseek-coder" -> of("[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", CJK, "\\p{N}");
            default ->
                throw new UzuException.ModelUnsupported(
                        "Pre-tokenizer \"" + name + "\" is not supported",
                        Map.of("field", "tokenizer.ggml.pre", "value", name));
        };
    }

    /** Whether it is one of Llama 3's: pieces that are tokens are not merged, and texts begin with BOS. */
    static boolean isLlama3(String name) {
        return switch (name) {
            case "llama-bpe", "llama3", "llama-v3", "lfm2" -> true;
            default -> false;
        };
    }

    /** Whether the original tokenizer composes its text (NFC) first. */
    static boolean composes(String name) {
        return switch (name) {
            case "qwen2", "deepseek-r1-qwen", "command-r", "mpt" -> true;
            default -> false;
        };
    }

    private static PreTokenizer of(String... regexes) {
        List<Stage> stages =
                Stream.of(regexes).map(r -> Stage.isolated(Regex.compile(r))).toList();
        return new PreTokenizer(stages);
    }
}
