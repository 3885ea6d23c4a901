package uzu.bridge;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import uzu.CancelToken;
import uzu.ToolDeclaration;
import uzu.ToolFunction;

/** Tools that the host language runs. A tool may serve several sessions: the token of a call says which reply's it is. */
final class HostTools {
    private final Map<CancelToken, HostCalls> calls = Collections.synchronizedMap(new WeakHashMap<>());

    /** The calls of the reply that this token cancels. */
    HostCalls of(CancelToken reply) {
        return calls.computeIfAbsent(reply, token -> new HostCalls());
    }

    ToolFunction tool(ToolDeclaration declaration) {
        return ToolFunction.of(declaration, (arguments, reply) -> of(reply).call(declaration.name(), arguments));
    }
}
