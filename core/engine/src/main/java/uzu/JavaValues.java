package uzu;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/** JSON as values of Java types and back, the way {@link JavaSchemas} describes the types. */
final class JavaValues {
    /** Tells the types of a sealed interface apart, by their simple names. */
    static final String KIND = "type";

    private static final int MOST_DEPTH = 200;

    static final JsonMapper MAPPER = mapper();

    /** For values that aren't whole yet. */
    private static final JsonMapper PARTIAL = MAPPER.rebuild()
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private JavaValues() {}

    private static JsonMapper mapper() {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MOST_DEPTH)
                        .maxStringLength(Integer.MAX_VALUE)
                        .build())
                .build();
        return JsonMapper.builder(factory)
                .annotationIntrospector(new Introspector())
                .changeDefaultVisibility(checker -> checker.withFieldVisibility(JsonAutoDetect.Visibility.ANY))
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .disable(EnumFeature.READ_ENUMS_USING_TO_STRING, EnumFeature.WRITE_ENUMS_USING_TO_STRING)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .build();
    }

    static JavaType type(Type type) {
        return MAPPER.constructType(type);
    }

    static JavaType listOf(Type type) {
        return MAPPER.getTypeFactory().constructCollectionType(List.class, type(type));
    }

    /** @throws UzuException.InvalidArgument when the text is no such value */
    static <T> @Nullable T read(String json, JavaType type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JacksonException e) {
            throw new UzuException.InvalidArgument(
                    "no " + type.toCanonical() + ": " + e.getOriginalMessage(), Map.of("type", type.toCanonical()), e);
        }
    }

    /** Parts that aren't there yet are null, 0 or false; null when nothing of the value can be had. */
    static <T> @Nullable T readPartial(String json, JavaType type) {
        try {
            return PARTIAL.readValue(json, type);
        } catch (JacksonException tooLittle) {
            return null;
        }
    }

    static <T> @Nullable T read(JsonNode json, JavaType type) {
        return MAPPER.treeToValue(json, type);
    }

    static String write(@Nullable Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /** Sealed types that say nothing else are told apart by {@link #KIND}. */
    private static final class Introspector extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated annotated) {
            JsonTypeInfo.Value own = super.findPolymorphicTypeInfo(config, annotated);
            boolean sealed = annotated instanceof AnnotatedClass && isKind(annotated.getRawType());
            return own != null || !sealed
                    ? own
                    : JsonTypeInfo.Value.construct(
                            JsonTypeInfo.Id.SIMPLE_NAME, JsonTypeInfo.As.PROPERTY, KIND, null, false, null);
        }

        /** Whether it is sealed, or one of a sealed type's. */
        private static boolean isKind(Class<?> type) {
            if (type.isSealed()) {
                return true;
            }
            for (Class<?> parent : type.getInterfaces()) {
                if (parent.isSealed()) {
                    return true;
                }
            }
            Class<?> parent = type.getSuperclass();
            return parent != null && parent.isSealed();
        }
    }
}
