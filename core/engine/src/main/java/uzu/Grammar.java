package uzu;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;

/**
 * What a reply's text must be. Every reply that isn't cut short by a cancel or a stop string is a whole value: when the
 * tokens left only suffice for the shortest end, the reply is led there. Thinking before the answer is free.
 */
public sealed interface Grammar {
    /**
     * A JSON value that {@link ChatMessage#textDecoded} reads as this type: a record, class, enum, sealed interface,
     * list, map, …
     *
     * @throws UzuException.InvalidArgument for a type that no schema describes
     */
    static JsonSchema fromType(Type type) {
        return new JsonSchema(JavaSchemas.of(JavaValues.type(type)).toString());
    }

    /** A JSON list of such values. */
    static JsonSchema fromListOf(Type type) {
        return new JsonSchema(JavaSchemas.of(JavaValues.listOf(type)).toString());
    }

    /**
     * A JSON value that the schema accepts: draft 7 or 2020-12. A keyword that can't be enforced is an {@link
     * UzuException.GrammarUnsupported} that names it, or, if the reply is {@link ChatReplyConfig#lenient}, in {@link
     * ChatReply#unenforced}.
     *
     * @param schema as JSON text
     */
    record JsonSchema(String schema, PropertyOrder propertyOrder) implements Grammar {
        /** With properties in the order that the schema lists them in. */
        public JsonSchema(String schema) {
            this(schema, PropertyOrder.AS_GIVEN);
        }

        public JsonSchema withPropertyOrder(PropertyOrder order) {
            return new JsonSchema(schema, order);
        }
    }

    /** Any JSON value. */
    record JsonAny() implements Grammar {}

    /** A text that the whole expression, one of ECMAScript, matches. No look behind, no back references. */
    record Regex(String pattern) implements Grammar {}

    /** A text of the rule {@code root} in llama.cpp's GBNF, or of {@code start} in the context-free part of Lark. */
    record Ebnf(String text) implements Grammar {}

    /** One of the values. */
    record Choice(List<String> values) implements Grammar {
        public Choice {
            values = List.copyOf(values);
            if (values.isEmpty()) {
                throw new UzuException.InvalidArgument("a choice of no values", Map.of("field", "values"));
            }
        }
    }
}
