package uzu.chat.parse;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads calls in a programming language's spelling: {@code name(key=value, …)}, in a list or alone. A value counts once
 * it is whole.
 */
final class ScriptCalls implements Part {
    /**
     * The spelling.
     *
     * @param prefix before each name; may be empty
     * @param open behind the name
     * @param assign between key and value
     * @param quote around strings; empty: Python's quotes
     * @param close the mark behind the calls
     */
    record Dialect(String prefix, char open, char end, char assign, String quote, String close) {
        static Dialect python(String close) {
            return new Dialect("", '(', ')', '=', "", close);
        }

        @Nullable String json(String value) {
            return quote.isEmpty() ? PythonLiteral.json(value) : GemmaLiteral.json(value, quote);
        }
    }

    private enum State {
        BETWEEN,
        NAME,
        ARGUMENT,
        BROKEN
    }

    private final Dialect dialect;
    private final Part after;
    private final StringBuilder name = new StringBuilder();
    private Argument argument;
    private State state = State.BETWEEN;
    private int arguments;
    private boolean some;

    ScriptCalls(Dialect dialect, Part after) {
        this.dialect = dialect;
        this.after = after;
        this.argument = new Argument(dialect);
    }

    @Override
    public Part read(Input input, Blocks blocks) {
        while (!input.isEmpty()) {
            Part next = switch (state) {
                case BETWEEN -> between(input, blocks);
                case NAME -> name(input, blocks);
                case ARGUMENT -> argument(input, blocks);
                case BROKEN -> broken(input, blocks);
            };
            if (next != null) {
                return next;
            }
        }
        if (input.isEnded() && blocks.hasCall()) {
            blocks.failCall();
        }
        return this;
    }

    /** Between calls: brackets, commas, white space, or the end. */
    private @Nullable Part between(Input input, Blocks blocks) {
        switch (input.match(dialect.close, 0)) {
            case YES -> {
                blocks.raw(input.take(dialect.close.length()));
                if (some) {
                    blocks.dropCall();
                } else {
                    blocks.failCall();
                }
                return after;
            }
            case MAYBE -> {
                return this;
            }
            case NO -> {}
        }
        char c = input.charAt(0);
        if (Character.isWhitespace(c) || c == '[' || c == ']' || c == ',' || c == ';') {
            blocks.raw(input.takeOne());
            return null;
        }
        switch (input.match(dialect.prefix, 0)) {
            case YES -> {
                blocks.raw(input.take(dialect.prefix.length()));
                state = State.NAME;
            }
            case MAYBE -> {
                return this;
            }
            case NO -> state = State.BROKEN;
        }
        return null;
    }

    private @Nullable Part name(Input input, Blocks blocks) {
        char c = input.takeOne();
        blocks.raw(c);
        if (c != dialect.open) {
            name.append(c);
            if (!Character.isWhitespace(c) && !Head.isName(String.valueOf(c))) {
                name.setLength(0);
                state = State.BROKEN;
            }
            return null;
        }
        Head head = Head.ofName(name.toString());
        name.setLength(0);
        if (head == null) {
            state = State.BROKEN;
            return null;
        }
        blocks.announce(null, head.name());
        argument = new Argument(dialect);
        arguments = 0;
        state = State.ARGUMENT;
        return null;
    }

    private @Nullable Part argument(Input input, Blocks blocks) {
        char c = input.takeOne();
        blocks.raw(c);
        boolean end = c == dialect.end && !argument.isOpen();
        if (!end && (c != ',' || argument.isOpen())) {
            argument.add(c);
            return null;
        }
        if (!write(blocks)) {
            state = State.BROKEN;
        } else if (end) {
            blocks.arguments(arguments == 0 ? "{}" : "}");
            blocks.finishCall();
            blocks.openDoubtfulCall();
            some = true;
            state = State.BETWEEN;
        }
        argument = new Argument(dialect);
        return null;
    }

    private boolean write(Blocks blocks) {
        String text = argument.text().strip();
        if (text.isEmpty()) {
            return true;
        }
        String entry = entry(dialect, text, arguments, blocks.calledName(), blocks.tools());
        if (entry == null) {
            return false;
        }
        blocks.arguments((arguments == 0 ? "{" : ", ") + entry);
        arguments++;
        return true;
    }

    /** Key and value of one argument as JSON has them; null when it is none. */
    private static @Nullable String entry(Dialect dialect, String text, int place, String name, Tools tools) {
        int assign = text.indexOf(dialect.assign);
        String key = assign < 0 ? "" : text.substring(0, assign).strip();
        String value = text.substring(assign + 1);
        if (!isKey(key)) {
            String positional = tools.parameter(name, place);
            if (positional == null) {
                return null;
            }
            key = positional;
            value = text;
        }
        String json = dialect.json(value.strip());
        return json == null ? null : JsonText.quoted(key) + ": " + json;
    }

    /** The arguments between the parentheses of a call in Python as a JSON object; null when they are none. */
    static @Nullable String pythonArguments(String text, String name, Tools tools) {
        Dialect python = Dialect.python("");
        List<String> entries = new ArrayList<>();
        Argument argument = new Argument(python);
        for (int i = 0; i <= text.length(); i++) {
            boolean end = i == text.length() || text.charAt(i) == ',' && !argument.isOpen();
            if (!end) {
                argument.add(text.charAt(i));
                continue;
            }
            String one = argument.text().strip();
            if (!one.isEmpty()) {
                String entry = entry(python, one, entries.size(), name, tools);
                if (entry == null) {
                    return null;
                }
                entries.add(entry);
            }
            argument = new Argument(python);
        }
        return "{" + String.join(", ", entries) + "}";
    }

    private static boolean isKey(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> Character.isJavaIdentifierPart(c) || c == '-' || c == '.');
    }

    private @Nullable Part broken(Input input, Blocks blocks) {
        Input.Found found = input.find(List.of(dialect.close), 0);
        blocks.raw(input.take(found.at()));
        if (found.marker() == null) {
            return input.isEmpty() ? null : this;
        }
        blocks.raw(input.take(dialect.close.length()));
        blocks.failCall();
        return after;
    }

    /** The text of one argument, and whether a comma in it would be part of it. */
    private static final class Argument {
        private final Dialect dialect;
        private final StringBuilder text = new StringBuilder();
        private int depth;
        private char quote;
        private boolean escaped;
        private boolean quoted;

        Argument(Dialect dialect) {
            this.dialect = dialect;
        }

        String text() {
            return text.toString();
        }

        boolean isOpen() {
            return depth > 0 || quote != 0 || quoted;
        }

        void add(char c) {
            text.append(c);
            if (dialect.quote.isEmpty()) {
                python(c);
            } else if (endsWithQuote()) {
                quoted = !quoted;
            } else if (!quoted) {
                bracket(c);
            }
        }

        private boolean endsWithQuote() {
            int from = text.length() - dialect.quote.length();
            return from >= 0 && text.indexOf(dialect.quote, from) == from;
        }

        private void python(char c) {
            if (quote == 0) {
                if (c == '"' || c == '\'') {
                    quote = c;
                } else {
                    bracket(c);
                }
            } else if (escaped) {
                escaped = false;
            } else if (c == '\\') {
                escaped = true;
            } else if (c == quote) {
                quote = 0;
            }
        }

        private void bracket(char c) {
            if (c == '[' || c == '{' || c == '(') {
                depth++;
            } else if (c == ']' || c == '}' || c == ')') {
                depth--;
            }
        }
    }
}
