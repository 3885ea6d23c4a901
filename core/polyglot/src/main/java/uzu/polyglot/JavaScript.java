package uzu.polyglot;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** What every context of JavaScript gets: the globals that Node.js has of the web's, and the engine. */
final class JavaScript {
    static final String MODULE = "application/javascript+module";
    /** The npm package in one file, as esbuild makes it. */
    static final String PACKAGE = "js/uzu.mjs";

    private JavaScript() {}

    static JsEngine prepare(Context context, EventLoop loop) {
        JsEngine engine = new JsEngine(loop);
        expression(context, "js/globals.js")
                .executeVoid(new HostFunctions(name -> timer(loop, name)), new HostFunctions(engine::function));
        return engine;
    }

    /** The package's exports become the global {@code uzu}. */
    static void publish(Context context) {
        Source code = Source.newBuilder("js", Resources.text(PACKAGE), "uzu.mjs")
                .mimeType(MODULE)
                .buildLiteral();
        context.getBindings("js").putMember("uzu", context.eval(code));
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
