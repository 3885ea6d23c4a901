package uzu.chat.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import uzu.UzuException;
import uzu.chat.ChatTemplate;
import uzu.chat.PublishedTemplates;
import uzu.generate.ToyTokenizer;

class FormatChoiceTest {
    private static final String CHATML = """
            {% for m in messages %}<|im_start|>{{ m.role }}
            {{ m.content }}<|im_end|>
            {% endfor %}<|im_start|>assistant
            """;

    private static ChatTemplate template(String source) {
        return ChatTemplate.of(source, "<s>", "</s>");
    }

    private static MessageFormat format(String source) {
        return MessageFormat.of(template(source), new ToyTokenizer());
    }

    @Test
    void aTemplateWithoutToolsHasTheGenericFormat() {
        MessageFormat plain = format(CHATML);
        assertEquals("generic", plain.name());
        assertTrue(plain.isGeneric());
        assertEquals(null, plain.reasoning());
        assertEquals(Reasoning.THINK, format(CHATML + "<think>\n").reasoning());
    }

    @Test
    void aFormatCanBeNamed() {
        MessageFormat named = MessageFormat.named("glm", template(CHATML), new ToyTokenizer());
        assertEquals("glm", named.name());
        assertEquals(
                "harmony",
                MessageFormat.named("harmony", template(CHATML), new ToyTokenizer())
                        .name());
        var failure = assertThrows(
                UzuException.InvalidArgument.class,
                () -> MessageFormat.named("nothing", template(CHATML), new ToyTokenizer()));
        assertTrue(String.valueOf(failure.getMessage()).contains("hermes"));
    }

    /** What each published template is taken for: format, start of reasoning, and openings with thinking on and off. */
    @Test
    void publishedTemplates() throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (Path file : PublishedTemplates.files()) {
            String name = file.getFileName().toString();
            if (EXPECTED.containsKey(name)) {
                found.put(name, told(Files.readString(file)));
            }
        }
        Map<String, String> expected = new TreeMap<>(EXPECTED);
        expected.keySet().retainAll(found.keySet());
        assertEquals(String.join("\n", lines(expected)), String.join("\n", lines(found)));
        assertTrue(found.size() >= 25, "only " + found.keySet());
    }

    private static List<String> lines(Map<String, String> map) {
        return map.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .toList();
    }

    private static String told(String source) {
        MessageFormat format = format(source);
        Reasoning reasoning = format.reasoning();
        return format.name() + " " + (reasoning == null ? "-" : reasoning.open()) + " " + opening(source, format, true)
                + " " + opening(source, format, false);
    }

    private static Opening opening(String source, MessageFormat format, boolean thinking) {
        String prompt = template(source)
                .render(
                        List.of(Map.of("role", "user", "content", "Hi")),
                        List.of(),
                        true,
                        Map.of("enable_thinking", thinking, "thinking", thinking));
        return format.opening(prompt);
    }

    private static final Map<String, String> EXPECTED = Map.ofEntries(
            Map.entry("Apriel-1.6-15b-Thinker-fixed.jinja", "apriel Here are my reasoning steps: OPEN OPEN"),
            Map.entry("ByteDance-Seed-OSS.jinja", "seed <seed:think> FREE FREE"),
            Map.entry("CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja", "command <|START_THINKING|> FREE CLOSED"),
            Map.entry("GLM-4.6.jinja", "glm <think> FREE CLOSED"),
            Map.entry("GLM-4.7-Flash.jinja", "glm <think> OPEN CLOSED"),
            Map.entry("HuggingFaceTB-SmolLM3-3B.jinja", "generic <think> FREE CLOSED"),
            Map.entry("Kimi-K2-Thinking.jinja", "kimi <think> FREE FREE"),
            Map.entry("Kimi-K3.jinja", "kimi-k3 <|open|>think<|sep|> OPEN CLOSED"),
            Map.entry("MiniMax-M3.jinja", "minimax-m3 <mm:think> FREE FREE"),
            Map.entry("meetkai-functionary-medium-v3.2.jinja", "functionary-v3.2 - FREE FREE"),
            Map.entry("tencent-Hy3.jinja", "hunyuan <think:opensource> CLOSED CLOSED"),
            Map.entry("upstage-Solar-Open-100B.jinja", "solar <|think|> FREE FREE"),
            Map.entry("GigaChat3.1-10B-A1.8B.jinja", "gigachat - FREE FREE"),
            Map.entry("openbmb-MiniCPM5-1B.jinja", "minicpm <think> OPEN CLOSED"),
            Map.entry("LFM2-8B-A1B.jinja", "lfm2 - FREE FREE"),
            Map.entry("LFM2.5-8B-A1B.jinja", "lfm2 <think> FREE FREE"),
            Map.entry("MiniMax-M2.jinja", "minimax <think> OPEN OPEN"),
            Map.entry("Mistral-Small-3.2-24B-Instruct-2506.jinja", "mistral - FREE FREE"),
            Map.entry("NVIDIA-Nemotron-3-Nano-30B-A3B-BF16.jinja", "qwen-xml <think> OPEN CLOSED"),
            Map.entry("NVIDIA-Nemotron-Nano-v2.jinja", "nemotron <think> OPEN OPEN"),
            Map.entry("Qwen-QwQ-32B.jinja", "hermes <think> OPEN CLOSED"),
            Map.entry("Qwen-Qwen2.5-7B-Instruct.jinja", "hermes - FREE FREE"),
            Map.entry("Qwen-Qwen3-0.6B.jinja", "hermes <think> FREE CLOSED"),
            Map.entry("Qwen3-Coder.jinja", "qwen-xml - FREE FREE"),
            Map.entry("Qwen3.5-4B.jinja", "qwen-xml <think> OPEN CLOSED"),
            Map.entry("Apertus-8B-Instruct.jinja", "apertus <|inner_prefix|> FREE FREE"),
            Map.entry("deepseek-ai-DeepSeek-R1-Distill-Llama-8B.jinja", "generic <think> OPEN OPEN"),
            Map.entry("deepseek-ai-DeepSeek-V3.1.jinja", "generic <think> OPEN CLOSED"),
            Map.entry("deepseek-ai-DeepSeek-V3.2.jinja", "deepseek-v3.2 <think> OPEN CLOSED"),
            Map.entry("google-gemma-2-2b-it.jinja", "generic - FREE FREE"),
            Map.entry("google-gemma-4-31B-it.jinja", "gemma4 <|channel>thought FREE CLOSED"),
            Map.entry("ibm-granite-granite-3.3-2B-Instruct.jinja", "granite <think> FREE FREE"),
            Map.entry("ibm-granite-granite-4.0.jinja", "hermes - FREE FREE"),
            Map.entry("meetkai-functionary-medium-v3.1.jinja", "functionary - FREE FREE"),
            Map.entry("meta-llama-Llama-3.1-8B-Instruct.jinja", "llama - FREE FREE"),
            Map.entry("meta-llama-Llama-3.3-70B-Instruct.jinja", "llama - FREE FREE"),
            Map.entry("mistralai-Ministral-3-14B-Reasoning-2512.jinja", "mistral [THINK] FREE FREE"),
            Map.entry("mistralai-Mistral-Nemo-Instruct-2407.jinja", "mistral-array - FREE FREE"),
            Map.entry("openai-gpt-oss-120b.jinja", "harmony <|channel|>analysis<|message|> FREE FREE"));
}
