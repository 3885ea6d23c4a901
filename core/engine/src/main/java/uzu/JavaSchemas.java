package uzu;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.jsonFormatVisitors.JsonBooleanFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonIntegerFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonNumberFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonStringFormatVisitor;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON schemas of Java types: records, classes as Jackson sees them, enums, sealed interfaces, lists, maps, optional and
 * nullable parts. Types are written where they stand; one that holds itself is a definition.
 */
final class JavaSchemas {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** What Jackson writes as text of a certain form. */
    private static final Map<String, String> FORMATS = Map.of(
            "java.time.LocalDate", "date",
            "java.time.Instant", "date-time",
            "java.time.OffsetDateTime", "date-time",
            "java.time.ZonedDateTime", "date-time",
            "java.time.OffsetTime", "time",
            "java.time.Duration", "duration",
            "java.util.UUID", "uuid",
            "java.net.URI", "uri");

    private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]";

    private final Set<JavaType> open = new HashSet<>();
    private final Map<JavaType, String> recursive = new HashMap<>();
    private final ObjectNode definitions = NODES.objectNode();

    static ObjectNode of(JavaType type) {
        JavaSchemas schemas = new JavaSchemas();
        return schemas.finish(schemas.schema(type));
    }

    /** The schema of an object with a property for each of {@code parameters}. */
    static ObjectNode ofParameters(Map<String, Parameter> parameters) {
        JavaSchemas schemas = new JavaSchemas();
        ObjectNode object = schemas.object();
        parameters.forEach((name, parameter) -> schemas.property(
                object,
                name,
                JavaValues.type(parameter.getParameterizedType()),
                isNullable(parameter.getAnnotatedType(), parameter),
                description(parameter)));
        return schemas.finish(object);
    }

    private ObjectNode finish(ObjectNode schema) {
        if (!definitions.isEmpty()) {
            schema.set("$defs", definitions);
        }
        return schema;
    }

    private ObjectNode object() {
        ObjectNode object = NODES.objectNode();
        object.put("type", "object");
        object.putObject("properties");
        object.putArray("required");
        object.put("additionalProperties", false);
        return object;
    }

    private void property(ObjectNode object, String name, JavaType type, boolean nullable, @Nullable String text) {
        boolean optional = type.isReferenceType();
        ObjectNode schema = schema(optional ? type.getContentType() : type);
        if (nullable || optional) {
            schema = orNull(schema);
        } else {
            ((ArrayNode) object.get("required")).add(name);
        }
        if (text != null && !text.isEmpty()) {
            ObjectNode described = NODES.objectNode().put("description", text);
            described.setAll(schema);
            schema = described;
        }
        ((ObjectNode) object.get("properties")).set(name, schema);
    }

    private static ObjectNode orNull(ObjectNode schema) {
        JsonNode type = schema.get("type");
        if (type != null && type.isString() && !schema.has("enum")) {
            ArrayNode types = NODES.arrayNode().add(type).add("null");
            return schema.deepCopy().set("type", types);
        }
        ObjectNode either = NODES.objectNode();
        either.putArray("anyOf").add(schema).addObject().put("type", "null");
        return either;
    }

    private ObjectNode schema(JavaType type) {
        Class<?> raw = type.getRawClass();
        String format = FORMATS.get(raw.getName());
        if (format != null) {
            return text().put("format", format);
        }
        if (raw == char.class || raw == Character.class) {
            return text().put("minLength", 1).put("maxLength", 1);
        }
        if (raw.getName().equals("java.time.LocalTime")) {
            return text().put("pattern", "^" + TIME + "$");
        }
        if (raw.getName().equals("java.time.LocalDateTime")) {
            return text().put("pattern", "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T" + TIME + "$");
        }
        if (raw == Object.class || JsonNode.class.isAssignableFrom(raw)) {
            return NODES.objectNode();
        }
        if (type.isReferenceType()) {
            return orNull(schema(type.getContentType()));
        }
        if (type.isMapLikeType()) {
            return NODES.objectNode().put("type", "object").set("additionalProperties", schema(type.getContentType()));
        }
        if ((type.isArrayType() || type.isCollectionLikeType()) && raw != byte[].class) {
            return NODES.objectNode().put("type", "array").set("items", schema(type.getContentType()));
        }
        return raw.isPrimitive() || raw.isEnum() || raw.getName().startsWith("java.") ? visited(type) : structure(type);
    }

    private static ObjectNode text() {
        return NODES.objectNode().put("type", "string");
    }

    private ObjectNode structure(JavaType type) {
        String known = recursive.get(type);
        if (known != null || open.contains(type)) {
            return reference(type);
        }
        open.add(type);
        ObjectNode schema = kinds(type.getRawClass()).isEmpty() ? visited(type) : alternatives(type);
        open.remove(type);
        String description = description(type.getRawClass());
        if (description != null && !schema.has("description")) {
            schema = NODES.objectNode().put("description", description).setAll(schema);
        }
        String name = recursive.get(type);
        if (name == null) {
            return schema;
        }
        definitions.set(name, schema);
        return reference(type);
    }

    private ObjectNode reference(JavaType type) {
        String name = recursive.computeIfAbsent(type, unnamed -> {
            String simple = unnamed.getRawClass().getSimpleName();
            String free = simple;
            for (int i = 2; recursive.containsValue(free); i++) {
                free = simple + i;
            }
            return free;
        });
        return NODES.objectNode().put("$ref", "#/$defs/" + name);
    }

    private ObjectNode alternatives(JavaType type) {
        Class<?> raw = type.getRawClass();
        JsonTypeInfo info = raw.getAnnotation(JsonTypeInfo.class);
        String property = info == null
                ? JavaValues.KIND
                : info.property().isEmpty() ? info.use().getDefaultPropertyName() : info.property();
        ObjectNode schema = NODES.objectNode();
        ArrayNode any = schema.putArray("anyOf");
        kinds(raw).forEach((kind, name) -> {
            ObjectNode own = schema(JavaValues.type(kind));
            any.add(own.has("properties") ? kind(own, property, name) : own);
        });
        return schema;
    }

    /** The kind's name comes first, so that the rest of the value is known by it. */
    private static ObjectNode kind(ObjectNode own, String property, String name) {
        ObjectNode properties = NODES.objectNode();
        properties.putObject(property).put("const", name);
        properties.setAll((ObjectNode) own.get("properties"));
        ArrayNode required = NODES.arrayNode().add(property);
        required.addAll((ArrayNode) own.get("required"));
        ObjectNode schema = own.deepCopy();
        schema.set("properties", properties);
        schema.set("required", required);
        return schema;
    }

    /** The concrete types that a value of a sealed or annotated type may have, with the names that tell them. */
    private static Map<Class<?>, String> kinds(Class<?> type) {
        Map<Class<?>, String> kinds = new LinkedHashMap<>();
        JsonSubTypes listed = type.getAnnotation(JsonSubTypes.class);
        if (listed != null) {
            for (JsonSubTypes.Type one : listed.value()) {
                kinds.put(one.value(), one.name().isEmpty() ? name(one.value()) : one.name());
            }
        } else if (type.isSealed()) {
            for (Class<?> one : type.getPermittedSubclasses()) {
                if (one.isSealed() && Modifier.isAbstract(one.getModifiers())) {
                    kinds.putAll(kinds(one));
                } else {
                    kinds.put(one, name(one));
                }
            }
        }
        return kinds;
    }

    private static String name(Class<?> kind) {
        JsonTypeName given = kind.getAnnotation(JsonTypeName.class);
        return given == null ? kind.getSimpleName() : given.value();
    }

    /** What Jackson writes and reads for the type. */
    private ObjectNode visited(JavaType type) {
        Visitor visitor = new Visitor();
        try {
            JavaValues.MAPPER.acceptJsonFormatVisitor(type, visitor);
        } catch (JacksonException e) {
            throw undescribable(type, e);
        }
        if (visitor.schema == null) {
            throw undescribable(type, null);
        }
        return visitor.schema;
    }

    private static UzuException undescribable(JavaType type, @Nullable JacksonException cause) {
        return new UzuException.InvalidArgument(
                "no JSON schema describes " + type.toCanonical() + (cause == null ? "" : ": " + cause.getMessage()),
                Map.of("type", type.toCanonical()),
                cause);
    }

    private final class Visitor extends JsonFormatVisitorWrapper.Base {
        @Nullable ObjectNode schema;

        @Override
        public JsonObjectFormatVisitor expectObjectFormat(JavaType type) {
            if (Modifier.isAbstract(type.getRawClass().getModifiers())) {
                throw undescribable(type, null);
            }
            ObjectNode object = object();
            schema = object;
            return new JsonObjectFormatVisitor.Base(getContext()) {
                @Override
                public void property(BeanProperty property) {
                    add(object, property);
                }

                @Override
                public void optionalProperty(BeanProperty property) {
                    add(object, property);
                }
            };
        }

        private void add(ObjectNode object, BeanProperty property) {
            List<AnnotatedElement> sources = sources(property);
            boolean nullable = sources.stream().anyMatch(source -> isNullable(annotatedType(source), source));
            String text = property.getMetadata().getDescription();
            for (AnnotatedElement source : sources) {
                text = text == null ? description(source) : text;
            }
            JavaSchemas.this.property(object, property.getName(), property.getType(), nullable, text);
        }

        @Override
        public JsonStringFormatVisitor expectStringFormat(JavaType type) {
            ObjectNode string = text();
            if (type.getRawClass().isEnum()) {
                ArrayNode values = string.putArray("enum");
                for (Object constant : type.getRawClass().getEnumConstants()) {
                    // As Jackson spells it: annotations may rename it.
                    values.add(JavaValues.MAPPER.valueToTree(constant).asString());
                }
            }
            schema = string;
            return new JsonStringFormatVisitor.Base();
        }

        @Override
        public JsonNumberFormatVisitor expectNumberFormat(JavaType type) {
            schema = NODES.objectNode().put("type", "number");
            return new JsonNumberFormatVisitor.Base();
        }

        @Override
        public JsonIntegerFormatVisitor expectIntegerFormat(JavaType type) {
            schema = integer(type.getRawClass());
            return new JsonIntegerFormatVisitor.Base();
        }

        @Override
        public JsonBooleanFormatVisitor expectBooleanFormat(JavaType type) {
            schema = NODES.objectNode().put("type", "boolean");
            return new JsonBooleanFormatVisitor.Base();
        }
    }

    private static ObjectNode integer(Class<?> type) {
        ObjectNode integer = NODES.objectNode().put("type", "integer");
        int bits = switch (type.getSimpleName().toLowerCase(Locale.ROOT)) {
            case "byte" -> 8;
            case "short" -> 16;
            case "int", "integer" -> 32;
            case "long" -> 64;
            default -> 0;
        };
        if (bits > 0) {
            BigInteger limit = BigInteger.TWO.pow(bits - 1);
            integer.put("minimum", limit.negate()).put("maximum", limit.subtract(BigInteger.ONE));
        }
        return integer;
    }

    /** Where the property's annotations may stand: what Jackson found, its field, its record component. */
    private static List<AnnotatedElement> sources(BeanProperty property) {
        List<AnnotatedElement> sources = new ArrayList<>();
        if (property.getMember() == null) {
            return sources;
        }
        sources.add(property.getMember().getAnnotated());
        Class<?> owner = property.getMember().getDeclaringClass();
        String name = property.getMember().getName();
        if (owner.isRecord()) {
            Arrays.stream(owner.getRecordComponents())
                    .filter(component -> component.getName().equals(name))
                    .forEach(sources::add);
        }
        for (Field field : owner.getDeclaredFields()) {
            if (field.getName().equals(name) || field.getName().equals(property.getName())) {
                sources.add(field);
            }
        }
        return sources;
    }

    private static @Nullable AnnotatedType annotatedType(AnnotatedElement source) {
        return switch (source) {
            case Field field -> field.getAnnotatedType();
            case Method method -> method.getAnnotatedReturnType();
            case RecordComponent component -> component.getAnnotatedType();
            case Executable other -> null;
            default -> null;
        };
    }

    /** By any annotation of that name, on the type or the declaration: there are several. */
    private static boolean isNullable(@Nullable AnnotatedType type, AnnotatedElement source) {
        return (type != null && hasNullable(type)) || hasNullable(source);
    }

    private static boolean hasNullable(AnnotatedElement element) {
        return Arrays.stream(element.getAnnotations())
                .anyMatch(one -> one.annotationType().getSimpleName().equals("Nullable"));
    }

    private static @Nullable String description(AnnotatedElement source) {
        UzuParameter described = source.getAnnotation(UzuParameter.class);
        return described == null || described.value().isEmpty() ? null : described.value();
    }
}
