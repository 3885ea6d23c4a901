package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.grammar.Syntax;

/**
 * DeepSeek V2.5, V3, R1: {@code <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>name}, then the arguments
 * in a JSON fence, {@code <｜tool▁call▁end｜>…<｜tool▁calls▁end｜>}. V3.1 writes {@code name<｜tool▁sep｜>{…}} instead.
 */
final class DeepSeekCalls implements CallFormat {
    static final String OPEN = "<｜tool▁calls▁begin｜>";
    static final String CLOSE = "<｜tool▁calls▁end｜>";
    static final String CALL_OPEN = "<｜tool▁call▁begin｜>";
    static final String CALL_CLOSE = "<｜tool▁call▁end｜>";
    static final String SEPARATOR = "<｜tool▁sep｜>";
    private static final String FENCE = "```";

    private final boolean fenced;

    /** @param fenced whether the model was taught the older spelling; both are read */
    DeepSeekCalls(boolean fenced) {
        this.fenced = fenced;
    }

    @Override
    public List<String> markers() {
        return List.of(OPEN);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new HeadCalls(new HeadCalls.Shape(CALL_OPEN, CALL_CLOSE, CLOSE, DeepSeekCalls::head), marker, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        String head = fenced
                ? CALL_OPEN + "function" + SEPARATOR + arguments.name() + "\n```json\n"
                : CALL_OPEN + arguments.name() + SEPARATOR;
        return Syntax.sequence(
                CallSyntax.marked(head, visible()),
                arguments.json(),
                CallSyntax.marked((fenced ? "\n```" : "") + CALL_CLOSE, visible()));
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        return Syntax.sequence(
                Syntax.literal(OPEN),
                CallSyntax.calls(call, Syntax.literal(fenced ? "\n" : ""), parallel),
                Syntax.literal(CLOSE));
    }

    @Override
    public Set<String> visible() {
        return Set.of(OPEN, CLOSE, CALL_OPEN, CALL_CLOSE, SEPARATOR);
    }

    private static @Nullable Head head(String text) {
        int at = text.indexOf(SEPARATOR);
        if (at < 0) {
            return null;
        }
        String behind = text.substring(at + SEPARATOR.length());
        int fence = behind.indexOf(FENCE);
        if (fence >= 0) {
            behind = behind.substring(0, fence);
        }
        return Head.ofName(behind.isBlank() ? text.substring(0, at) : behind);
    }
}
