package uzu.bridge;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import uzu.UzuException;

/** Whatever was thrown, as one of the codes. */
final class Errors {
    private Errors() {}

    static UzuException of(Throwable thrown) {
        return switch (thrown) {
            case UzuException known -> known;
            case ExecutionException wrapped when wrapped.getCause() != null -> of(wrapped.getCause());
            case JacksonException malformed ->
                new UzuException.InvalidArgument(
                        "Malformed JSON: " + malformed.getOriginalMessage(), Map.of(), malformed);
            case OutOfMemoryError exhausted ->
                new UzuException.OutOfMemory("Java's heap is full: " + exhausted.getMessage(), Map.of(), exhausted);
            case StackOverflowError deep ->
                new UzuException.Internal("Java's stack is full: the input is nested too deeply", Map.of(), deep);
            default -> new UzuException.Internal(thrown.toString(), Map.of("thrown", where(thrown)), thrown);
        };
    }

    /** {code, message, details}. */
    static ObjectNode json(UzuException error) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        String message = error.getMessage();
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        error.details().forEach((key, value) -> details.put(snakeCase(key), value));
        // Fields of an argument are Java's; those of a model's files stay as they are.
        String field = error.details().get("field");
        if (error instanceof UzuException.InvalidArgument && field != null) {
            details.put("field", snakeCase(field));
            message = message == null ? null : message.replace(field, snakeCase(field));
        }
        json.put("code", error.code().code());
        json.put("message", message == null ? error.code().code() : message);
        json.set("details", details);
        return json;
    }

    /** Java's topK as the top_k that the JSON's writer knows. */
    private static String snakeCase(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    /** The result that uzu.h has for it. */
    static int result(UzuException error) {
        return -1 - error.code().ordinal();
    }

    private static String where(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return trace.length == 0 ? thrown.getClass().getName() : trace[0].toString();
    }
}
