package uzu.chat.parse;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.chat.ChatTemplate;
import uzu.tokenizer.Tokenizer;

/** Which format a template teaches. */
final class FormatChoice {
    static final String GENERIC = "generic";

    private static final List<String> HARMONY = List.of("<|channel|>", "<|message|>", "<|start|>", "analysis");

    /**
     * A format and what tells it.
     *
     * @param marks all of them stand in the source of its templates
     */
    private record Known(String name, List<String> marks, Supplier<CallFormat> calls) {
        boolean isIn(String source) {
            return marks.stream().allMatch(source::contains);
        }
    }

    /** The special ones before those whose marks they also hold. */
    private static final List<Known> KNOWN = List.of(
            known("kimi-k3", KimiK3Calls::new, "<|open|>", "open_tag('tools')"),
            known("minimax-m3", MiniMaxM3Calls::new, "]<]minimax[>["),
            known("hunyuan", XmlCalls::hunyuan, "HYTK", "<tool_sep{}>"),
            known("minicpm", XmlCalls::miniCpm, "<function name=\"", "<param name=\""),
            known("solar", SolarCalls::new, "<|tool_call:begin|>", "<|tool_call:args|>"),
            known("gigachat", GigaChatCalls::new, "<|role_sep|>", "\"arguments\""),
            known("olmo3", PythonicCalls::tagged, "<function_calls>", "<functions>"),
            known("pythonic", PythonicCalls::bare, "[func_name1("),
            known("deepseek-v3.2", () -> XmlCalls.deepSeek("function_calls"), "｜DSML｜", "function_calls"),
            known("deepseek-v4", () -> XmlCalls.deepSeek("tool_calls"), "｜DSML｜", "tool_calls"),
            known("deepseek", () -> new DeepSeekCalls(true), DeepSeekCalls.OPEN, "```json"),
            known("deepseek-v3.1", () -> new DeepSeekCalls(false), DeepSeekCalls.OPEN),
            known("kimi", KimiCalls::new, "<|tool_calls_section_begin|>"),
            known("functiongemma", GemmaCalls::functionGemma, "<start_function_call>"),
            known("gemma4", GemmaCalls::gemma4, "<|tool_call>", "<tool_call|>"),
            known("lfm2", Lfm2Calls::new, Lfm2Calls.OPEN),
            known("lfm2", Lfm2Calls::new, "<|tool_list_start|>"),
            known("lfm2", Lfm2Calls::new, "List of tools: ["),
            known("mistral", () -> new MistralCalls(true), "[TOOL_CALLS]", "[ARGS]"),
            known("mistral-array", () -> new MistralCalls(false), "[TOOL_CALLS]"),
            known("glm", XmlCalls::glm, "<arg_key>", "<tool_call>"),
            known("minimax", XmlCalls::miniMax, "<minimax:tool_call>"),
            known("seed", XmlCalls::seed, "<seed:tool_call>"),
            known("qwen-xml", XmlCalls::qwen, "<function=", "<parameter="),
            known("functionary", FunctionaryCalls::new, "<function=", LlamaCalls.MARKER),
            known("command", TaggedJsonCalls::command, "<|START_ACTION|>"),
            known("apertus", TaggedJsonCalls::apertus, "<|tools_prefix|>"),
            known("nemotron", TaggedJsonCalls::nemotron, "<TOOLCALL>"),
            known("phi", TaggedJsonCalls::phi, "<|tool|>"),
            known("granite", TaggedJsonCalls::granite, "<|tool_call|>"),
            known("apriel", TaggedJsonCalls::apriel, "<tool_calls>"),
            known("hermes", HermesCalls::new, "<tool_call>", "\"arguments\""),
            known("llama", LlamaCalls::new, "<|start_header_id|>", "\"parameters\": "),
            known("llama", LlamaCalls::new, "<|header_start|>", "\"parameters\": "));

    private static Known known(String name, Supplier<CallFormat> calls, String... marks) {
        return new Known(name, List.of(marks), calls);
    }

    private FormatChoice() {}

    static MessageFormat of(ChatTemplate template, Tokenizer tokenizer) {
        if (HARMONY.stream().allMatch(template.source()::contains)) {
            return new HarmonyFormat();
        }
        if (template.source().contains(RecipientFormat.MARK)) {
            return new RecipientFormat();
        }
        Reasoning reasoning = Reasoning.of(template.source(), tokenizer);
        if (template.capabilities().tools()) {
            for (Known known : KNOWN) {
                if (known.isIn(template.source())) {
                    return format(known.name, known.calls.get(), reasoning);
                }
            }
        }
        return new TaggedFormat(GENERIC, reasoning, new GenericCalls());
    }

    static MessageFormat named(String name, ChatTemplate template, Tokenizer tokenizer) {
        if (name.equals(HarmonyFormat.NAME)) {
            return new HarmonyFormat();
        }
        if (name.equals(RecipientFormat.NAME)) {
            return new RecipientFormat();
        }
        Map<String, Supplier<CallFormat>> byName = new LinkedHashMap<>();
        byName.put(HarmonyFormat.NAME, GenericCalls::new);
        byName.put(RecipientFormat.NAME, GenericCalls::new);
        byName.put(GENERIC, GenericCalls::new);
        KNOWN.forEach(known -> byName.put(known.name, known.calls));
        Supplier<CallFormat> calls = byName.get(name);
        if (calls == null) {
            throw new UzuException.InvalidArgument(
                    "there is no message format " + name + "; there are " + String.join(", ", byName.keySet()),
                    Map.of("field", "messageFormat", "value", name));
        }
        return format(name, calls.get(), Reasoning.of(template.source(), tokenizer));
    }

    private static MessageFormat format(String name, CallFormat calls, @Nullable Reasoning ofTemplate) {
        Reasoning own = calls.reasoning();
        return new TaggedFormat(name, own == null ? ofTemplate : own, calls);
    }
}
