package uzu.polyglot;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** What every context of JavaScript gets: the globals that Node.js has of the web's, and the engine. */
final class JavaScript {
    /** The npm package as a module, as esbuild makes it. */
    static final String PACKAGE = "js/uzu.mjs";
    /** And as a script that makes a global of it. */
    static final String SCRIPT = "js/uzu.js";

    private JavaScript() {}

    static JsEngine prepare(Context context, EventLoop loop) {
        JsEngine engine = new JsEngine(loop);
        expression(context, "js/globals.js")
                .executeVoid(new HostFunctions(name -> timer(loop, name)), new HostFunctions(engine::function));
        return engine;
    }

    /** The package's exports become the global {@code uzu}. */
    static void publish(Context context) {
        context.eval(Source.newBuilder("js", Resources.text(SCRIPT), "uzu.js").buildLiteral());
    }

    /** The value of a script of ours that is one expression. */
    static Value expression(Context context, String resource) {
        return context.eval(Source.newBuilder("js", Resources.text(resource), resource)
                .internal(true)
                .buildLiteral());
    }

    private static @Nullable ProxyExecutable timer(EventLoop loop, String name) {
        return switch (name) {
            case "setTimer" ->
                values -> {
                    Value task = values[0];
                    return (double) loop.setTimer(task::executeVoid, values[1].asLong(), values[2].asBoolean());
                };
            case "clearTimer" ->
                values -> {
                    loop.clearTimer(values[0].asLong());
                    return null;
                };
            case "holdTimer" ->
                values -> {
                    loop.holdTimer(values[0].asLong(), values[1].asBoolean());
                    return null;
                };
            default -> null;
        };
    }
}
