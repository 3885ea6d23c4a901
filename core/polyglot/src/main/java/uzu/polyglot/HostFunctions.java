package uzu.polyglot;

import java.util.function.Function;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/** An object with functions of ours, which scripts may call whatever host access their context grants. */
record HostFunctions(Function<String, @Nullable ProxyExecutable> functions) implements ProxyObject {
    /** The texts among a call's arguments, from an index on; None, null and undefined are null. */
    static @Nullable String[] texts(Value[] values, int first) {
        @Nullable String[] texts = new @Nullable String[values.length - first];
        for (int i = 0; i < texts.length; i++) {
            Value value = values[first + i];
            texts[i] = value.isNull() ? null : value.asString();
        }
        return texts;
    }

    @Override
    public @Nullable Object getMember(String name) {
        return functions.apply(name);
    }

    /** Who calls them knows their names. */
    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromArray();
    }

    @Override
    public boolean hasMember(String name) {
        return functions.apply(name) != null;
    }

    @Override
    public void putMember(String name, Value value) {
        throw new UnsupportedOperationException("uzu's functions can't be replaced");
    }
}
