package uzu.bridge;

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
        json.put("code", error.code().code());
        json.put("message", message == null ? error.code().code() : message);
        ObjectNode details = json.putObject("details");
        error.details().forEach(details::put);
        return json;
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
