package uzu.polyglot;

import java.util.function.Function;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;
import uzu.bridge.InProcess;

/**
 * What {@code uzu._polyglot} calls. Each function gives its result and, as JSON, its error: what Java throws isn't caught
 * by Python's {@code except Exception}.
 */
final class PythonEngine {
    private final InProcess engine = new InProcess();

    @Nullable ProxyExecutable function(String name) {
        return switch (name) {
            case "text" ->
                answering(values -> engine.text(name(values), handle(values), HostFunctions.texts(values, 2)));
            case "number" ->
                answering(values -> engine.number(name(values), handle(values), HostFunctions.texts(values, 2)));
            case "run" ->
                answering(values -> {
                    engine.run(name(values), handle(values), HostFunctions.texts(values, 2));
                    return null;
                });
            case "queue_add" ->
                answering(values -> {
                    engine.queueAdd(values[0].asLong(), values[1].asLong());
                    return null;
                });
            case "queue_next" -> answering(values -> engine.next("queue_next", values[0].asLong(), values[1].asLong()));
            default -> null;
        };
    }

    private static String name(Value[] values) {
        return values[0].asString();
    }

    private static long handle(Value[] values) {
        return values[1].asLong();
    }

    private static ProxyExecutable answering(Function<Value[], @Nullable Object> function) {
        return values -> {
            try {
                return ProxyArray.fromArray(function.apply(values), null);
            } catch (Throwable failure) {
                return ProxyArray.fromArray(null, InProcess.errorJson(failure));
            }
        };
    }
}
