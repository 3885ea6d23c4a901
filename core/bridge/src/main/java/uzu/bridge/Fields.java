package uzu.bridge;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.UzuException;

/** The fields of a JSON object, checked as they are read; a field nobody knows is an error. null counts as absent. */
final class Fields {
    private static final BigInteger LEAST = BigInteger.ONE.shiftLeft(63).negate();
    private static final BigInteger MOST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private final String what;
    private final JsonNode object;

    Fields(String what, JsonNode object, String... known) {
        if (!object.isObject()) {
            throw new UzuException.InvalidArgument(
                    what + " must be a JSON object, not " + object.getNodeType(), Map.of("field", what));
        }
        Set<String> names = new HashSet<>(Arrays.asList(known));
        for (String name : object.propertyNames()) {
            if (!names.contains(name)) {
                throw new UzuException.InvalidArgument(
                        what + " has no field \"" + name + "\"", Map.of("field", what + "." + name));
            }
        }
        this.what = what;
        this.object = object;
    }

    /** Whether the field is there, be it null. */
    boolean has(String name) {
        return object.has(name);
    }

    /** Null when absent or null. */
    @Nullable JsonNode get(String name) {
        JsonNode value = object.get(name);
        return value == null || value.isNull() ? null : value;
    }

    JsonNode need(String name) {
        JsonNode value = get(name);
        if (value == null) {
            throw new UzuException.InvalidArgument(
                    what + " needs the field \"" + name + "\"", Map.of("field", what + "." + name));
        }
        return value;
    }

    @Nullable String text(String name) {
        JsonNode value = get(name);
        return value == null ? null : text(what + "." + name, value);
    }

    String needText(String name) {
        return text(what + "." + name, need(name));
    }

    @Nullable Integer integer(String name) {
        JsonNode value = get(name);
        if (value == null) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw wrong(what + "." + name, "an integer of 32 bits", value);
        }
        return value.intValue();
    }

    /** 64 bits, given signed or unsigned. */
    @Nullable Long seed(String name) {
        JsonNode value = get(name);
        return value == null ? null : seed(what + "." + name, value);
    }

    @Nullable Double number(String name) {
        JsonNode value = get(name);
        if (value == null) {
            return null;
        }
        if (!value.isNumber()) {
            throw wrong(what + "." + name, "a number", value);
        }
        return value.doubleValue();
    }

    @Nullable Boolean flag(String name) {
        JsonNode value = get(name);
        if (value == null) {
            return null;
        }
        if (!value.isBoolean()) {
            throw wrong(what + "." + name, "true or false", value);
        }
        return value.booleanValue();
    }

    /** One of an enum's constants by its lower-case name. */
    <E extends Enum<E>> @Nullable E choice(String name, Class<E> type) {
        String value = text(name);
        return value == null ? null : choice(what + "." + name, value, type);
    }

    static <E extends Enum<E>> E choice(String field, String value, Class<E> type) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(value)) {
                return constant;
            }
        }
        String names = String.join(
                ", ", Arrays.stream(type.getEnumConstants()).map(Fields::name).toList());
        throw new UzuException.InvalidArgument(
                field + " must be one of " + names + ", not \"" + value + "\"", Map.of("field", field, "value", value));
    }

    static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static String text(String field, JsonNode value) {
        if (!value.isString()) {
            throw wrong(field, "a string", value);
        }
        return value.stringValue();
    }

    static long seed(String field, JsonNode value) {
        if (!value.isIntegralNumber()
                || value.bigIntegerValue().compareTo(LEAST) < 0
                || value.bigIntegerValue().compareTo(MOST) > 0) {
            throw wrong(field, "an integer of 64 bits", value);
        }
        return value.bigIntegerValue().longValue();
    }

    static UzuException wrong(String field, String expected, JsonNode value) {
        String shown = value.toString();
        return new UzuException.InvalidArgument(
                field + " must be " + expected + ", not "
                        + (shown.length() > 80 ? shown.substring(0, 80) + "…" : shown),
                Map.of("field", field));
    }
}
