package uzu;

import java.time.Duration;
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

    /** What answers calls, as {@link ToolFunction#call} does. */
    @FunctionalInterface
    interface Handler {
        String call(String arguments, CancelToken cancelToken) throws Exception;
    }
}
