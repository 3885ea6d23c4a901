package uzu.chat.jinja;

import java.math.BigInteger;
import java.util.Map;
import java.util.function.Predicate;

/** What stands right of {@code is}. */
final class Tests {
    /** A question about a value. */
    interface Test {
        boolean holds(Object value, Arguments arguments, Runtime runtime);
    }

    private static final Map<String, Test> ALL = Map.ofEntries(
            Map.entry("defined", plain(value -> !(value instanceof Undefined))),
            Map.entry("undefined", plain(value -> value instanceof Undefined)),
            Map.entry("none", plain(value -> value == None.NONE)),
            Map.entry("boolean", plain(value -> value instanceof Boolean)),
            Map.entry("true", plain(Boolean.TRUE::equals)),
            Map.entry("false", plain(Boolean.FALSE::equals)),
            Map.entry("integer", plain(value -> value instanceof Long || value instanceof BigInteger)),
            Map.entry("float", plain(value -> value instanceof Double)),
            Map.entry("number", plain(Numbers::isNumber)),
            Map.entry("string", plain(Values::isString)),
            Map.entry("mapping", plain(value -> value instanceof Dict)),
            Map.entry("iterable", plain(Values::isIterable)),
            Map.entry("sequence", plain(value -> Values.hasLength(value) && !isUnordered(value))),
            Map.entry("callable", plain(value -> value instanceof Callable || value instanceof Undefined)),
            Map.entry("escaped", plain(value -> value instanceof Markup)),
            Map.entry("lower", (value, a, r) -> Text.isAll(r.str(value), false)),
            Map.entry("upper", (value, a, r) -> Text.isAll(r.str(value), true)),
            Map.entry("filter", (value, a, r) -> Values.isString(value) && Filters.exists(Values.text(value))),
            Map.entry("test", (value, a, r) -> Values.isString(value) && exists(Values.text(value))),
            Map.entry("odd", (value, a, r) -> isRemainder(value, 2L, 1L, r)),
            Map.entry("even", (value, a, r) -> isRemainder(value, 2L, 0L, r)),
            Map.entry("divisibleby", (value, a, r) -> isRemainder(value, other(a, "divisibleby"), 0L, r)),
            Map.entry("sameas", (value, a, r) -> isSame(value, other(a, "sameas"))),
            Map.entry("in", (value, a, r) -> r.operators().contains(other(a, "in"), value)),
            Map.entry("==", comparison("==")),
            Map.entry("eq", comparison("==")),
            Map.entry("equalto", comparison("==")),
            Map.entry("!=", comparison("!=")),
            Map.entry("ne", comparison("!=")),
            Map.entry(">", comparison(">")),
            Map.entry("gt", comparison(">")),
            Map.entry("greaterthan", comparison(">")),
            Map.entry(">=", comparison(">=")),
            Map.entry("ge", comparison(">=")),
            Map.entry("<", comparison("<")),
            Map.entry("lt", comparison("<")),
            Map.entry("lessthan", comparison("<")),
            Map.entry("<=", comparison("<=")),
            Map.entry("le", comparison("<=")));

    private Tests() {}

    static boolean exists(String name) {
        return ALL.containsKey(name);
    }

    static Test named(String name) {
        Test test = ALL.get(name);
        if (test == null) {
            throw new TemplateError("No test named '" + name + "' found.");
        }
        return test;
    }

    private static Test plain(Predicate<Object> predicate) {
        return (value, arguments, runtime) -> {
            arguments.bind("test", 0);
            return predicate.test(value);
        };
    }

    private static Test comparison(String operator) {
        return (value, arguments, runtime) -> runtime.operators().compare(operator, value, other(arguments, operator));
    }

    private static Object other(Arguments arguments, String test) {
        return arguments.bind(test, 1, "other").get(0);
    }

    private static boolean isUnordered(Object value) {
        return value instanceof View || value instanceof LoopContext;
    }

    private static boolean isRemainder(Object value, Object divisor, Object wanted, Runtime runtime) {
        Object remainder = runtime.operators().arithmetic("%", value, divisor);
        return runtime.operators().equal(remainder, wanted);
    }

    // Python keeps one object each for None, True, False, small integers and short strings of the source.
    private static boolean isSame(Object a, Object b) {
        boolean isShared = a instanceof Boolean || a instanceof Long || a instanceof String;
        return a == b || (isShared && a.equals(b));
    }
}
