package uzu.polyglot;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;
import uzu.bridge.InProcess;

/**
 * What the npm package has an addon for in Node.js, with the addon's functions: calls wait on threads of ours, and their
 * results come to one function on the event loop.
 */
final class JsEngine {
    private static final Duration MOST_AT_END = Duration.ofSeconds(5);
    private static final int FAILED = -1;
    private static final int NOTHING = 0;
    private static final int TEXT = 1;

    private final InProcess engine = new InProcess();
    private final EventLoop loop;
    private final ExecutorService threads;
    private final long queue;
    private final Set<Long> engines = ConcurrentHashMap.newKeySet();
    private @Nullable Value deliver;

    JsEngine(EventLoop loop) {
        this.loop = loop;
        AtomicLong number = new AtomicLong();
        threads = Executors.newCachedThreadPool(task -> daemon(task, "uzu-call-" + number.incrementAndGet()));
        queue = engine.number("queue_create", 0);
    }

    /** The members of the object that {@code polyglot.ts} calls. */
    @Nullable ProxyExecutable function(String name) {
        return switch (name) {
            case "connect" -> returningNothing(values -> connect(values[0]));
            case "call" -> returningNothing(this::call);
            case "now" -> this::now;
            case "read" -> returningNothing(values -> read(values[0].asLong(), values[1].asLong()));
            case "hold" -> returningNothing(values -> loop.hold(values[0].asBoolean()));
            case "end" -> returningNothing(values -> close());
            default -> null;
        };
    }

    private void connect(Value function) {
        deliver = function;
        daemon(this::readQueue, "uzu-streams").start();
    }

    /** (id, name, kind of result, handle or null, texts …) */
    private void call(Value[] values) {
        long id = values[0].asLong();
        String name = values[1].asString();
        int kind = values[2].asInt();
        long handle = values[3].isNull() ? 0 : values[3].asLong();
        @Nullable String[] texts = HostFunctions.texts(values, 4);
        threads.execute(() -> settle(id, () -> switch (kind) {
            case NOTHING -> {
                engine.run(name, handle, texts);
                yield null;
            }
            case TEXT -> engine.text(name, handle, texts);
            // Handles and counts fit a number of JavaScript's.
            default -> (double) number(name, handle, texts);
        }));
    }

    /** (name, texts …): the result and its value, of a call that is over at once. */
    private Object now(Value[] values) {
        try {
            return ProxyArray.fromArray(0, engine.text(values[0].asString(), 0, HostFunctions.texts(values, 1)));
        } catch (RuntimeException failure) {
            return ProxyArray.fromArray(FAILED, InProcess.errorJson(failure));
        }
    }

    private void read(long id, long stream) {
        settle(id, () -> {
            engine.queueAdd(queue, stream);
            return null;
        });
    }

    private void settle(long id, Supplier<@Nullable Object> call) {
        Object result;
        int code = 0;
        try {
            result = call.get();
        } catch (Throwable failure) {
            result = InProcess.errorJson(failure);
            code = FAILED;
        }
        deliver(id, code, result);
    }

    private void readQueue() {
        for (String ready = next(); ready != null; ready = next()) {
            deliver(0, 0, ready);
        }
    }

    private @Nullable String next() {
        try {
            return engine.next("queue_next", queue, -1);
        } catch (RuntimeException closed) {
            return null;
        }
    }

    private void deliver(long id, int code, @Nullable Object result) {
        Value function = deliver;
        if (function != null) {
            loop.post(() -> function.executeVoid((double) id, code, result));
        }
    }

    private long number(String name, long handle, @Nullable String[] texts) {
        long number = engine.number(name, handle, texts);
        if (name.equals("engine_create")) {
            engines.add(number);
        }
        return number;
    }

    /** Ends what runs: replies, downloads, threads of ours. Closing waits for a forward pass, but not for ever. */
    void close() {
        threads.shutdown();
        Thread closing = daemon(
                () -> {
                    engines.forEach(this::close);
                    close(queue);
                },
                "uzu-close");
        closing.start();
        try {
            closing.join(MOST_AT_END);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    private void close(long handle) {
        try {
            engine.run("handle_close", handle);
        } catch (RuntimeException failure) {
            // Closing is all that was left to do.
        }
    }

    private static ProxyExecutable returningNothing(Consumer<Value[]> action) {
        return values -> {
            action.accept(values);
            return null;
        };
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
