package uzu;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A tool that a session runs itself when the model calls it. Each call has a virtual thread of its own; the calls of one
 * turn run at the same time.
 */
public interface ToolFunction {
    ToolDeclaration declaration();

    /**
     * Answers a call. Whatever is thrown, a timeout too, becomes {@code {"error": …}} with the error's message, which
     * the model sees.
     *
     * @param arguments a JSON object, as JSON text, that fits the declared parameters
     * @param cancelToken the reply's: with a cancel the calling thread is interrupted too, and its result not waited for
     * @return a JSON value, as JSON text
     */
    String call(String arguments, CancelToken cancelToken) throws Exception;

    /** Most time that a call may take; null: as long as it likes. */
    default @Nullable Duration timeout() {
        return null;
    }

    /** The same tool whose calls take at most so long. */
    default ToolFunction withTimeout(Duration timeout) {
        return new TimedTool(this, timeout);
    }

    /** A tool from its declaration and what answers its calls. */
    static ToolFunction of(ToolDeclaration declaration, Handler handler) {
        return new DeclaredTool(declaration, handler);
    }

    /**
     * A tool whose arguments are a record or class: their schema is made from it, and what the handler returns becomes
     * JSON. Parts are described by {@link UzuParameter}.
     *
     * @throws UzuException.InvalidArgument for a class that no schema describes
     */
    static <T> ToolFunction of(
            String name,
            String description,
            Class<T> arguments,
            Function<? super T, ? extends @Nullable Object> handler) {
        return TypedTool.of(name, description, arguments, handler);
    }

    /**
     * The public methods of an object, or the static ones of a class, that are marked with {@link UzuTool}, in the order
     * of their names.
     *
     * @throws UzuException.InvalidArgument when there is none, or one has a parameter that no schema describes
     */
    static List<ToolFunction> ofMethods(Object owner) {
        return MethodTool.of(owner);
    }

    /** What answers calls, as {@link ToolFunction#call} does. */
    @FunctionalInterface
    interface Handler {
        String call(String arguments, CancelToken cancelToken) throws Exception;
    }
}
