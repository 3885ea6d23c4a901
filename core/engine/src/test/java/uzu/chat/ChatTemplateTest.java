package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import uzu.UzuException;

class ChatTemplateTest {
    private static final String CHATML = """
            {%- if tools %}<|im_start|>tools
            {{ tools | map(attribute='function.name') | join(',') }}<|im_end|>
            {% endif %}
            {%- for message in messages %}\
            {{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}
            {%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}\
            {% if enable_thinking is defined and not enable_thinking %}{{ '<think></think>' }}{% endif %}{% endif %}""";

    private static Map<String, Object> message(String role, String content) {
        return Map.of("role", role, "content", content);
    }

    private static Map<String, Object> tool(String name) {
        return Map.of("type", "function", "function", Map.of("name", name));
    }

    @Test
    void rendersConversationsToolsAndThePromptForAnAnswer() {
        ChatTemplate template = ChatTemplate.of(CHATML, "<s>", "</s>");
        assertEquals(
                "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
                template.render(List.of(message("user", "Hi")), List.of(), true, Map.of()));
        assertEquals(
                "<|im_start|>tools\na,b<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n",
                template.render(List.of(message("user", "Hi")), List.of(tool("a"), tool("b")), false, Map.of()));
        assertEquals(
                "<|im_start|>assistant\n<think></think>",
                template.render(List.of(), List.of(), true, Map.of("enable_thinking", false)));
    }

    @Test
    void missingTokensAreUndefined() {
        String source = "{{ bos_token is defined }} {{ eos_token }}";
        assertEquals("True </s>", ChatTemplate.of(source, "", "</s>").render(List.of(), List.of(), false, Map.of()));
        assertEquals("False ", ChatTemplate.of(source, null, null).render(List.of(), List.of(), false, Map.of()));
    }

    @Test
    void aTemplateThatDoesNotParseIsRefusedAtOnce() {
        var failure = assertThrows(UzuException.TemplateFailed.class, () -> ChatTemplate.of("\n{% if %}", "", ""));
        assertEquals("2", failure.details().get("line"));
    }

    @Test
    void capabilitiesAreFoundByRendering() {
        assertEquals(
                new ChatCapabilities(true, true, true),
                ChatTemplate.of(CHATML, "", "").capabilities());
        String plain = "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('No system') }}{% endif %}"
                + "{{ m.content }}{% endfor %}";
        assertEquals(
                new ChatCapabilities(false, false, false),
                ChatTemplate.of(plain, "", "").capabilities());
        String silent = "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}";
        assertEquals(
                new ChatCapabilities(false, false, false),
                ChatTemplate.of(silent, "", "").capabilities());
    }

    @Test
    void oneTemplateServesManyThreads() throws Exception {
        ChatTemplate template = ChatTemplate.of(CHATML, "", "");
        var calls = new ArrayList<Callable<String>>();
        for (int i = 0; i < 200; i++) {
            String text = "question " + i;
            calls.add(() -> template.render(List.of(message("user", text)), List.of(), false, Map.of()));
        }
        try (var threads = Executors.newFixedThreadPool(8)) {
            var results = threads.invokeAll(calls);
            for (int i = 0; i < results.size(); i++) {
                assertEquals(
                        "<|im_start|>user\nquestion " + i + "<|im_end|>\n",
                        results.get(i).get());
            }
        }
    }
}
