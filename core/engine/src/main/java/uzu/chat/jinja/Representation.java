package uzu.chat.jinja;

import java.math.BigInteger;
import java.util.List;

/** {@code str(value)} and {@code repr(value)}. */
final class Representation {
    private final Budget budget;
    private final Output output;

    private Representation(Budget budget) {
        this.budget = budget;
        this.output = new Output(budget);
    }

    static String str(Object value, Budget budget) {
        return switch (value) {
            case String text -> text;
            case Markup markup -> markup.text();
            case Undefined ignored -> "";
            case Long number -> Long.toString(number);
            default -> repr(value, budget);
        };
    }

    static String repr(Object value, Budget budget) {
        var representation = new Representation(budget);
        representation.write(value);
        return representation.output.toString();
    }

    private void write(Object value) {
        budget.enter();
        switch (value) {
            case None ignored -> output.append("None");
            case Boolean flag -> output.append(flag ? "True" : "False");
            case Double number -> output.append(Numbers.repr(number));
            case String text -> quote(text);
            case Markup markup -> {
                output.append("Markup(");
                quote(markup.text());
                output.append(")");
            }
            case Undefined ignored -> output.append("Undefined");
            case Range range -> output.append(range.representation());
            case List<?> list -> writeAll("[", list, "]");
            case Tuple tuple -> writeAll("(", tuple.items(), tuple.items().size() == 1 ? ",)" : ")");
            case Dict dict -> writeDict(dict);
            case View view -> {
                output.append(view.type());
                writeAll("([", view.items(), "])");
            }
            case Namespace namespace -> {
                var fields = new Dict();
                namespace.fields().forEach(fields::put);
                output.append("<Namespace ");
                writeDict(fields);
                output.append(">");
            }
            case LoopContext loop -> output.append(loop.representation());
            case Macro macro -> {
                output.append("<Macro ");
                quote(macro.name());
                output.append(">");
            }
            case Number number -> {
                // Only a BigInteger is left; writing it takes time in the square of its size.
                budget.copy(number instanceof BigInteger big ? big.bitLength() : 1);
                output.append(number.toString());
            }
            default -> output.append("<" + Values.type(value) + " object>");
        }
        budget.leave();
    }

    private void writeAll(String open, List<?> items, String close) {
        output.append(open);
        String separator = "";
        for (Object item : items) {
            output.append(separator);
            write(item);
            separator = ", ";
        }
        output.append(close);
    }

    private void writeDict(Dict dict) {
        output.append("{");
        String separator = "";
        for (Dict.Entry entry : dict.entries()) {
            output.append(separator);
            write(entry.key());
            output.append(": ");
            write(entry.value());
            separator = ", ";
        }
        output.append("}");
    }

    private void quote(String text) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        output.append(quote);
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            switch (c) {
                case '\n' -> output.append("\\n");
                case '\r' -> output.append("\\r");
                case '\t' -> output.append("\\t");
                case '\\' -> output.append("\\\\");
                default -> {
                    if (c == quote) {
                        output.append('\\').append(quote);
                    } else if (isPrintable(c)) {
                        output.appendCodePoint(c);
                    } else {
                        output.append(escape(c));
                    }
                }
            }
        }
        output.append(quote);
    }

    private static String escape(int c) {
        return c < 0x100
                ? String.format("\\x%02x", c)
                : c < 0x10000 ? String.format("\\u%04x", c) : String.format("\\U%08x", c);
    }

    static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }
}
