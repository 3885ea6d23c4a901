package uzu.chat.parse;

import java.util.List;
import java.util.Set;

/**
 * FunctionGemma: {@code <start_function_call>call:name{key:<escape>text<escape>,n:1}<end_function_call>}; Gemma 4 writes
 * the same with {@code <|tool_call>}, {@code <|"|>} and {@code <tool_call|>}.
 */
final class GemmaCalls implements CallFormat {
    private final String open;
    private final ScriptCalls.Dialect dialect;

    private GemmaCalls(String open, String quote, String close) {
        this.open = open;
        this.dialect = new ScriptCalls.Dialect("call:", '{', '}', ':', quote, close);
    }

    static GemmaCalls functionGemma() {
        return new GemmaCalls("<start_function_call>", "<escape>", "<end_function_call>");
    }

    static GemmaCalls gemma4() {
        return new GemmaCalls("<|tool_call>", "<|\"|>", "<tool_call|>");
    }

    @Override
    public List<String> markers() {
        return List.of(open);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new ScriptCalls(dialect, after);
    }

    @Override
    public Set<String> visible() {
        return Set.of(open, dialect.quote(), dialect.close());
    }
}
