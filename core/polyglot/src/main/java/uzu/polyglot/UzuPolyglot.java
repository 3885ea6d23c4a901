package uzu.polyglot;

import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;

/**
 * uzu for scripts in any {@link Context} of GraalPy or GraalJS: the very packages of Python and npm, over the engine of
 * this JVM. In Python {@code import uzu} finds the package afterwards, in JavaScript the global {@code uzu} has its
 * exports. The context needs no host access; Python's needs {@code allowCreateThread(true)} and
 * {@code allowPolyglotAccess(PolyglotAccess.ALL)}, and IO to read the package and the models' files.
 *
 * <p>JavaScript has no threads: its promises go on in {@link #run} and {@link #await}, which the thread that evaluates
 * scripts calls.
 */
public final class UzuPolyglot implements AutoCloseable {
    private static final String PYTHON_PACKAGE = "python/uzu/__init__.py";

    private final EventLoop loop;
    private final Runnable close;

    private UzuPolyglot(EventLoop loop, Runnable close) {
        this.loop = loop;
        this.close = close;
    }

    /**
     * Gives the scripts of a context the package uzu.
     *
     * @param language {@code python} or {@code js}, which the context must have
     */
    public static UzuPolyglot install(Context context, String language) {
        return switch (language) {
            case "python" -> python(context);
            case "js" -> javaScript(context);
            default -> throw new IllegalArgumentException("uzu is there for python and js, not for " + language);
        };
    }

    /** Runs what waits, timers and replies, until nothing does. What a callback throws is thrown. */
    public void run() {
        loop.run();
    }

    /**
     * Runs what waits until the promise is settled.
     *
     * @return what it was fulfilled with; what it was rejected with is thrown
     * @throws IllegalStateException when nothing is left that could settle it
     */
    public Value await(Value promise) {
        return new Settlement(loop).of(promise);
    }

    /**
     * Ends the engines that scripts of JavaScript have left open; call it before the context is closed. Python's package
     * does so itself when its context is closed.
     */
    @Override
    public void close() {
        close.run();
    }

    private static UzuPolyglot python(Context context) {
        bindEngine(context);
        // Behind the host program's own path.
        context.eval("python", "lambda path: __import__('sys').path.append(path)")
                .executeVoid(pythonPath());
        return new UzuPolyglot(new EventLoop(), () -> {});
    }

    /** What {@code uzu._polyglot} asks for. */
    static void bindEngine(Context context) {
        context.getPolyglotBindings().putMember("uzu", new HostFunctions(new PythonEngine()::function));
    }

    private static UzuPolyglot javaScript(Context context) {
        EventLoop loop = new EventLoop();
        JsEngine engine = JavaScript.prepare(context, loop);
        JavaScript.publish(context);
        return new UzuPolyglot(loop, engine::close);
    }

    /** A folder, or one within our jar, which Python imports from as well. */
    private static String pythonPath() {
        String url = Objects.requireNonNull(UzuPolyglot.class.getResource(PYTHON_PACKAGE), "the jar lacks the package")
                .toString();
        String folder = url.substring(0, url.length() - "/uzu/__init__.py".length());
        if (!folder.startsWith("jar:")) {
            return Path.of(URI.create(folder)).toString();
        }
        int end = folder.indexOf("!/");
        return Path.of(URI.create(folder.substring("jar:".length(), end))) + folder.substring(end + 1);
    }
}
