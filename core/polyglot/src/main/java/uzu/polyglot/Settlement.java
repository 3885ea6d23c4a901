package uzu.polyglot;

import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** A promise's outcome, waited for by running the loop. */
final class Settlement {
    private final EventLoop loop;
    private @Nullable Value value;
    private boolean rejected;

    Settlement(EventLoop loop) {
        this.loop = loop;
    }

    Value of(Value promise) {
        if (!promise.canInvokeMember("then")) {
            return promise;
        }
        ProxyExecutable fulfil = values -> settle(values[0], false);
        ProxyExecutable reject = values -> settle(values[0], true);
        promise.invokeMember("then", fulfil, reject);
        while (value == null && loop.step()) {
            // a step may settle it
        }
        Value settled = value;
        if (settled == null) {
            throw new IllegalStateException("Nothing is left that could settle the promise");
        }
        if (!rejected) {
            return settled;
        }
        if (settled.isException()) {
            throw settled.throwException();
        }
        throw new IllegalStateException("The promise was rejected with " + settled);
    }

    private @Nullable Object settle(Value outcome, boolean rejects) {
        value = outcome;
        rejected = rejects;
        return null;
    }
}
