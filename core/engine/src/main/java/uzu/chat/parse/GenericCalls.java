package uzu.chat.parse;

import java.util.List;

/** The calls that a system message teaches a model whose template knows no tools: those of Hermes. */
final class GenericCalls implements CallFormat {
    @Override
    public List<String> markers() {
        return List.of("<tool_call>");
    }

    @Override
    public Part calls(String marker, Part after) {
        return new JsonCalls(marker, "</tool_call>", CallKeys.USUAL, after);
    }

    @Override
    public boolean mayBeBare() {
        return true;
    }
}
