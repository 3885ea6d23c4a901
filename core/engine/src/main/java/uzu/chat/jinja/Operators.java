package uzu.chat.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What operators do to values. */
final class Operators {
    private final Budget budget;

    Operators(Budget budget) {
        this.budget = budget;
    }

    Object arithmetic(String operator, Object a, Object b) {
        if (Numbers.isNumber(a) && Numbers.isNumber(b)) {
            return Numbers.arithmetic(operator, a, b, budget);
        }
        if (a instanceof Undefined undefined) {
            throw undefined.error(budget);
        }
        if (operator.equals("%") && Values.isString(a)) {
            String text = new PercentFormat(budget).format(Values.text(a), b);
            return a instanceof Markup ? new Markup(text) : text;
        }
        if (b instanceof Undefined undefined) {
            throw undefined.error(budget);
        }
        Object result = switch (operator) {
            case "+" -> joined(a, b);
            case "*" -> Numbers.isInteger(b) ? repeated(a, b) : Numbers.isInteger(a) ? repeated(b, a) : null;
            default -> null;
        };
        if (result != null) {
            return result;
        }
        if (operator.equals("+") && (Values.isString(a) || a instanceof List<?> || a instanceof Tuple)) {
            String type = Values.type(a);
            throw new TemplateError("can only concatenate " + type + " (not \"" + Values.type(b) + "\") to " + type);
        }
        throw new TemplateError("unsupported operand type(s) for " + (operator.equals("**") ? "** or pow()" : operator)
                + ": '" + Values.type(a) + "' and '" + Values.type(b) + "'");
    }

    private @Nullable Object joined(Object a, Object b) {
        if (Values.isString(a) && Values.isString(b)) {
            if (a instanceof Markup || b instanceof Markup) {
                String text = concatenated(
                        Markup.escape(a, budget).text(),
                        Markup.escape(b, budget).text());
                return new Markup(text);
            }
            return concatenated(Values.text(a), Values.text(b));
        }
        if (a instanceof Tuple x && b instanceof Tuple y) {
            return new Tuple(concatenated(x.items(), y.items()));
        }
        if (a instanceof List<?> x && b instanceof List<?> y && !(a instanceof Range) && !(b instanceof Range)) {
            return concatenated(x, y);
        }
        return null;
    }

    private String concatenated(String a, String b) {
        budget.text((long) a.length() + b.length());
        return a + b;
    }

    private List<Object> concatenated(List<?> a, List<?> b) {
        budget.list((long) a.size() + b.size());
        var all = new ArrayList<Object>(a.size() + b.size());
        all.addAll(a);
        all.addAll(b);
        return all;
    }

    private @Nullable Object repeated(Object value, Object times) {
        int count = Math.max(0, Numbers.clamped(times, budget));
        return switch (value) {
            case String text -> Text.repeat(text, count, budget);
            case Markup markup -> new Markup(Text.repeat(markup.text(), count, budget));
            case Range ignored -> null;
            case List<?> list -> repeatedList(list, count);
            case Tuple tuple -> new Tuple(repeatedList(tuple.items(), count));
            default -> null;
        };
    }

    private List<Object> repeatedList(List<?> items, int count) {
        budget.list((long) items.size() * count);
        var all = new ArrayList<Object>(items.size() * count);
        for (int i = 0; i < count && !items.isEmpty(); i++) {
            all.addAll(items);
        }
        return all;
    }

    boolean compare(String operator, Object a, Object b) {
        return switch (operator) {
            case "==" -> equal(a, b);
            case "!=" -> !equal(a, b);
            case "in" -> contains(b, a);
            case "not in" -> !contains(b, a);
            default -> ordered(operator, a, b);
        };
    }

    private boolean ordered(String operator, Object a, Object b) {
        if (Numbers.isNan(a) || Numbers.isNan(b)) {
            return false;
        }
        int order = order(operator, a, b);
        return switch (operator) {
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    boolean equal(Object a, Object b) {
        if (a == b) {
            return !Numbers.isNan(a);
        }
        if (Numbers.isNumber(a) && Numbers.isNumber(b)) {
            return Numbers.same(a, b, budget);
        }
        if (Values.isString(a) && Values.isString(b)) {
            return Values.text(a).equals(Values.text(b));
        }
        if (a instanceof Undefined && b instanceof Undefined) {
            return true;
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            return (x instanceof Range) == (y instanceof Range) && equalItems(x, y);
        }
        if (a instanceof Tuple x && b instanceof Tuple y) {
            return equalItems(x.items(), y.items());
        }
        if (a instanceof Dict x && b instanceof Dict y) {
            return equalEntries(x, y);
        }
        return Objects.equals(a, b);
    }

    private boolean equalItems(List<?> a, List<?> b) {
        if (a.size() != b.size()) {
            return false;
        }
        budget.enter();
        boolean equal = true;
        for (int i = 0; i < a.size() && equal; i++) {
            budget.step();
            equal = equal(a.get(i), b.get(i));
        }
        budget.leave();
        return equal;
    }

    private boolean equalEntries(Dict a, Dict b) {
        if (a.size() != b.size()) {
            return false;
        }
        budget.enter();
        boolean equal = true;
        for (Dict.Entry entry : a.entries()) {
            budget.step();
            Object other = b.get(entry.key());
            if (other == null || !equal(entry.value(), other)) {
                equal = false;
                break;
            }
        }
        budget.leave();
        return equal;
    }

    int order(Object a, Object b) {
        return order("<", a, b);
    }

    private int order(String operator, Object a, Object b) {
        if (Numbers.isNumber(a) && Numbers.isNumber(b)) {
            return Numbers.compare(a, b, budget);
        }
        if (Values.isString(a) && Values.isString(b)) {
            return compareCodePoints(Values.text(a), Values.text(b));
        }
        if (a instanceof Tuple x && b instanceof Tuple y) {
            return orderItems(operator, x.items(), y.items());
        }
        if (a instanceof List<?> x && b instanceof List<?> y && !(a instanceof Range) && !(b instanceof Range)) {
            return orderItems(operator, x, y);
        }
        if (a instanceof Undefined undefined) {
            throw undefined.error(budget);
        }
        if (b instanceof Undefined undefined) {
            throw undefined.error(budget);
        }
        throw new TemplateError("'" + operator + "' not supported between instances of '" + Values.type(a) + "' and '"
                + Values.type(b) + "'");
    }

    private int orderItems(String operator, List<?> a, List<?> b) {
        budget.enter();
        int order = 0;
        for (int i = 0; i < Math.min(a.size(), b.size()) && order == 0; i++) {
            budget.step();
            if (!equal(a.get(i), b.get(i))) {
                order = order(operator, a.get(i), b.get(i));
            }
        }
        budget.leave();
        return order != 0 ? order : Integer.compare(a.size(), b.size());
    }

    // String.compareTo orders by UTF-16 units, which puts U+FFxx after the supplementary characters.
    private int compareCodePoints(String a, String b) {
        int length = Math.min(a.length(), b.length());
        budget.copy(length);
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean differentPlanes = Character.isSurrogate(x) != Character.isSurrogate(y);
                return differentPlanes ? (Character.isSurrogate(x) ? 1 : -1) : Character.compare(x, y);
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    boolean contains(Object container, Object item) {
        switch (container) {
            case Dict dict -> {
                return dict.contains(item);
            }
            case String text -> {
                return containsText(text, item);
            }
            case Markup markup -> {
                return containsText(markup.text(), item);
            }
            default -> {
                if (!Values.isIterable(container)) {
                    throw new TemplateError("argument of type '" + Values.type(container) + "' is not iterable");
                }
                var items = Values.iterator(container, budget);
                while (items.hasNext()) {
                    budget.step();
                    if (equal(items.next(), item)) {
                        return true;
                    }
                }
                return false;
            }
        }
    }

    private boolean containsText(String text, Object item) {
        if (!Values.isString(item)) {
            throw new TemplateError("'in <string>' requires string as left operand, not " + Values.type(item));
        }
        budget.copy(text.length());
        return text.contains(Values.text(item));
    }
}
