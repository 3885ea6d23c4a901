package uzu.chat.jinja;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** What filters, tests and functions of one render share. */
final class Runtime {
    private final Budget budget;
    private final Operators operators;
    private final Subscripts subscripts;
    private final Clock clock;

    Runtime(Budget budget, Clock clock) {
        this.budget = budget;
        this.operators = new Operators(budget);
        this.subscripts = new Subscripts(budget);
        this.clock = clock;
    }

    Budget budget() {
        return budget;
    }

    Operators operators() {
        return operators;
    }

    Subscripts subscripts() {
        return subscripts;
    }

    Clock clock() {
        return clock;
    }

    String str(Object value) {
        return Representation.str(value, budget);
    }

    List<Object> list(Object value) {
        return Values.list(value, budget);
    }

    boolean truth(Object value) {
        return Values.truth(value, budget);
    }

    Object filter(String name, Object input, Arguments arguments) {
        return Filters.named(name).apply(input, arguments, this);
    }

    boolean test(String name, Object input, Arguments arguments) {
        return Tests.named(name).holds(input, arguments, this);
    }

    /** Reads {@code attribute} of an item: a name, a number, or several of them with dots between. */
    UnaryOperator<Object> getter(Object attribute, Object fallback) {
        if (attribute == None.NONE) {
            return item -> item;
        }
        var keys = new ArrayList<Object>();
        if (Values.isString(attribute)) {
            for (String part : Values.text(attribute).split("\\.", -1)) {
                boolean number =
                        !part.isEmpty() && part.length() < 10 && part.chars().allMatch(Character::isDigit);
                keys.add(number ? (Object) Long.parseLong(part) : part);
            }
        } else {
            keys.add(attribute);
        }
        return item -> {
            Object value = item;
            for (Object key : keys) {
                value = subscripts.item(value, key);
                if (fallback != None.NONE && value instanceof Undefined) {
                    value = fallback;
                }
            }
            return value;
        };
    }

    /** Strings in lower case unless {@code caseSensitive}; what sorting and comparing filters look at. */
    static UnaryOperator<Object> folded(boolean caseSensitive) {
        return value -> !caseSensitive && Values.isString(value) ? Text.lower(Values.text(value)) : value;
    }
}
