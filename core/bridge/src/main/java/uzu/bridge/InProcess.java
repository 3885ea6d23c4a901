package uzu.bridge;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * The functions of {@code uzu.h} for programs that run in this JVM: Kotlin, GraalPy, GraalJS. Functions are named without
 * {@code uzu_}; structured values are JSON, as docs/c-abi.md has them. Any thread may call; a call that waits blocks its
 * thread, which may be interrupted. Everything that fails throws a {@link UzuException}.
 */
public final class InProcess {
    private final Map<String, Functions.Body> functions = new LinkedHashMap<>();

    public InProcess() {
        Functions.of(new Bridge()).forEach(each -> functions.put(each.name(), each.body()));
    }

    /** Calls a function that gives a text. */
    public String text(String function, long handle, @Nullable String... texts) {
        return call(function, new Arguments(handle, 0, texts)).textResult();
    }

    /** Calls a function that gives a number or a handle. */
    public long number(String function, long handle, @Nullable String... texts) {
        return call(function, new Arguments(handle, 0, texts)).numberResult();
    }

    /** Calls a function that gives nothing. */
    public void run(String function, long handle, @Nullable String... texts) {
        call(function, new Arguments(handle, 0, texts));
    }

    /** Lets the queue read the stream, to its end. */
    public void queueAdd(long queue, long stream) {
        call("queue_add", new Arguments(queue, stream));
    }

    /**
     * What comes next from a stream or a queue.
     *
     * @param function {@code stream_next} or {@code queue_next}
     * @param timeoutMillis 0: doesn't wait; −1: as long as it takes
     * @return empty when nothing came in time, null at the end
     */
    public @Nullable String next(String function, long handle, long timeoutMillis) {
        Arguments arguments = new Arguments(handle, timeoutMillis);
        return switch (body(function).run(arguments)) {
            case Functions.OK -> arguments.textResult();
            case Functions.TIMEOUT -> "";
            default -> null;
        };
    }

    /** {"code", "message", "details"}, as {@code uzu.h} gives errors. */
    public static String errorJson(Throwable thrown) {
        return Errors.json(Errors.of(thrown)).toString();
    }

    private Arguments call(String function, Arguments arguments) {
        body(function).run(arguments);
        return arguments;
    }

    private Functions.Body body(String function) {
        Functions.Body body = functions.get(function);
        if (body == null) {
            throw new UzuException.InvalidArgument(
                    "There is no function " + function + ", but " + String.join(", ", functions.keySet()),
                    Map.of("field", "function"));
        }
        return body;
    }

    private static final class Arguments implements Call {
        private final long handle;
        private final long number;
        private final @Nullable String[] texts;
        private long numberResult;
        private @Nullable String textResult;

        Arguments(long handle, long number, @Nullable String... texts) {
            this.handle = handle;
            this.number = number;
            this.texts = Arrays.copyOf(texts, texts.length);
        }

        @Override
        public long handle() {
            return handle;
        }

        @Override
        public long number() {
            return number;
        }

        @Override
        public @Nullable String optional(int index) {
            return index < texts.length ? texts[index] : null;
        }

        @Override
        public void value(LongSupplier action) {
            numberResult = action.getAsLong();
        }

        @Override
        public void string(Supplier<String> action) {
            textResult = action.get();
        }

        @Override
        public void needResult() {}

        long numberResult() {
            return numberResult;
        }

        String textResult() {
            return textResult == null ? "" : textResult;
        }
    }
}
