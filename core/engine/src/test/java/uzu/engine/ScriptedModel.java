package uzu.engine;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;
import uzu.ChatConfig;
import uzu.SamplingMethod;
import uzu.generate.Instance;
import uzu.generate.ToyExecutable;
import uzu.generate.ToyTokenizer;

/** A model of byte tokens that wants to say what a test tells it to, prompt by prompt. */
final class ScriptedModel implements AutoCloseable {
    /** Hermes calls, reasoning in think tags. */
    static final String TEMPLATE = """
            {%- if tools %}<tools>{% for t in tools %}{{ t.function.name }} {% endfor %}</tools>{% endif -%}
            {%- for m in messages -%}
            <{{ m.role }}>
            {%- if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif -%}
            {{- m.content -}}
            {%- for c in m.tool_calls or [] -%}
            <tool_call>{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}</tool_call>
            {%- endfor -%}
            {%- endfor -%}
            <assistant>
            {%- if enable_thinking is defined and not enable_thinking %}<think></think>{% endif -%}
            """;

    final LoadedModel loaded;

    /**
     * @param promptEnd what its prompts end with
     * @param script from the prompt to the reply
     */
    ScriptedModel(String template, String promptEnd, Function<String, String> script) {
        this(template, new ToyExecutable(64, law(promptEnd, script)));
    }

    ScriptedModel(String template, ToyExecutable executable) {
        ToyTokenizer tokenizer = new ToyTokenizer();
        ModelFiles files =
                new ModelFiles(tokenizer, new Prompts(tokenizer, template), 8192, new SamplingMethod.Greedy());
        Instance instance = new Instance(executable, tokenizer, ToyExecutable.VOCABULARY, new int[] {ToyTokenizer.END});
        loaded = new LoadedModel(
                files, 8192, instance, new ModelDrafters(Path.of("toy"), tokenizer), 0, () -> {}, unused -> {});
    }

    static ToyExecutable.Law law(String promptEnd, Function<String, String> script) {
        return (path, into) -> {
            byte[] bytes = new byte[path.length];
            for (int i = 0; i < path.length; i++) {
                bytes[i] = (byte) path[i];
            }
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            int start = text.lastIndexOf(promptEnd) + promptEnd.length();
            byte[] reply = script.apply(new String(bytes, 0, start, StandardCharsets.UTF_8))
                    .getBytes(StandardCharsets.UTF_8);
            int said = path.length - start;
            into[said < reply.length ? reply[said] & 0xFF : ToyTokenizer.END] = 50;
        };
    }

    LocalChatSession session() {
        if (!loaded.acquire()) {
            throw new IllegalStateException("closed");
        }
        return new LocalChatSession(loaded, ChatConfig.create());
    }

    @Override
    public void close() {
        loaded.close();
    }
}
