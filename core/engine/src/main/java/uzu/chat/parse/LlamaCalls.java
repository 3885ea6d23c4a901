package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import uzu.grammar.Syntax;

/**
 * Llama 3.1 to 3.3: a bare {@code {"name": …, "parameters": {…}}}, or behind {@code <|python_tag|>} such an object, a
 * call of a built-in tool ({@code brave_search.call(query="…")}), or Python for the tool that runs it.
 */
final class LlamaCalls implements CallFormat {
    static final String MARKER = "<|python_tag|>";
    private static final List<String> INTERPRETERS = List.of("python", "ipython", "code_interpreter");

    @Override
    public List<String> markers() {
        return List.of(MARKER);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new Tagged(marker, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        return CallSyntax.object(arguments, "name", "parameters");
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        return CallSyntax.calls(call, Syntax.literal("; "), parallel);
    }

    // A brace at the start is where a call starts, and must not pass for a text.
    @Override
    public Syntax text() {
        return new Syntax.Except(Syntax.without(MARKER), Syntax.sequence(Syntax.literal("{"), Syntax.without(MARKER)));
    }

    @Override
    public boolean mayReplaceText() {
        return true;
    }

    @Override
    public boolean mayBeBare() {
        return true;
    }

    @Override
    public Set<String> visible() {
        return Set.of(MARKER);
    }

    private record Tagged(String marker, Part after) implements Part {
        @Override
        public Part read(Input input, Blocks blocks) {
            int spaces = input.spaces(0);
            if (spaces == input.length() && !input.isEnded()) {
                return this;
            }
            boolean json = spaces < input.length() && "[{".indexOf(input.charAt(spaces)) >= 0;
            return json ? new JsonCalls(marker, null, CallKeys.USUAL, after) : new Python(after);
        }
    }

    /** To the reply's end: only then it is known whether it is one call. */
    private static final class Python implements Part {
        private final Part after;
        private final StringBuilder code = new StringBuilder();

        Python(Part after) {
            this.after = after;
        }

        @Override
        public Part read(Input input, Blocks blocks) {
            String more = input.takeAll();
            code.append(more);
            if (blocks.hasCall()) {
                blocks.raw(more);
            }
            if (!input.isEnded()) {
                return this;
            }
            end(blocks);
            return after;
        }

        private void end(Blocks blocks) {
            String text = code.toString().strip();
            PythonCall call = PythonCall.parse(text, blocks.tools());
            String interpreter = INTERPRETERS.stream()
                    .filter(blocks.tools()::has)
                    .findFirst()
                    .orElse(null);
            if (call != null) {
                announce(call.name(), call.arguments(), blocks);
            } else if (interpreter != null && !text.isEmpty()) {
                announce(interpreter, "{\"code\": " + JsonText.quoted(text) + "}", blocks);
            } else {
                blocks.failCall();
            }
        }

        private static void announce(String name, String arguments, Blocks blocks) {
            blocks.announce(null, name);
            blocks.arguments(arguments);
            blocks.finishCall();
        }
    }

    /** A call in Python's spelling whose function is {@code name} or {@code name.call}. */
    private record PythonCall(String name, String arguments) {
        private static final Pattern HEAD = Pattern.compile("([\\w-]+(?:\\.[\\w-]+)*)\\((.*)\\)", Pattern.DOTALL);

        static @Nullable PythonCall parse(String text, Tools tools) {
            Matcher matcher = HEAD.matcher(text);
            if (!matcher.matches()) {
                return null;
            }
            String function = matcher.group(1);
            String name = function.endsWith(".call") ? function.substring(0, function.length() - 5) : function;
            if (!function.endsWith(".call") && !tools.has(name)) {
                return null;
            }
            String arguments = ScriptCalls.pythonArguments(matcher.group(2), name, tools);
            return arguments == null ? null : new PythonCall(name, arguments);
        }
    }
}
