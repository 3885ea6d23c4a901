package uzu.polyglot;

import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/** An ES module with its arguments, run by GraalJS as {@code node} would. */
final class JsScript {
    /** As with Node.js: the loop has ended while the module waits for something. */
    private static final int UNSETTLED = 13;

    private final Path file;
    private final List<String> arguments;
    private final EventLoop loop = new EventLoop();
    private final NodePackages packages = new NodePackages(further());
    private final CommonJs commonJs = new CommonJs(packages);
    private boolean evaluated;

    JsScript(Path file, List<String> arguments) {
        this.file = file;
        this.arguments = arguments;
    }

    /** @return the exit status */
    int run() {
        Context context = context();
        JsEngine engine = JavaScript.prepare(context, loop);
        NodeProcess process = new NodeProcess(loop, file, arguments, engine::close);
        JavaScript.expression(context, "js/web.js").executeVoid(new HostFunctions(new NodeWeb(loop)::function));
        Value node = JavaScript.expression(context, "js/process.js")
                .execute(
                        new HostFunctions(process::function),
                        new HostFunctions(new NodeFiles()::function),
                        JavaScript.expression(context, "js/require.js").execute(new HostFunctions(commonJs::function)));
        int status;
        try {
            ProxyExecutable done = values -> {
                evaluated = true;
                return null;
            };
            JavaScript.expression(context, "js/main.js")
                    .executeVoid(file.toUri().toString(), done);
            loop.run();
            status = evaluated ? 0 : unsettled();
        } catch (PolyglotException failure) {
            report(failure, node);
            status = 1;
        }
        try {
            status = node.invokeMember("end", status).asInt();
        } catch (PolyglotException failure) {
            report(failure, node);
            status = 1;
        }
        engine.close();
        return status;
    }

    private static List<Path> further() {
        String folders = Objects.requireNonNullElse(System.getenv("NODE_PATH"), "");
        return Arrays.stream(folders.split(File.pathSeparator))
                .filter(each -> !each.isEmpty())
                .map(Path::of)
                .toList();
    }

    private Context context() {
        return Context.newBuilder("js")
                .allowAllAccess(true)
                .allowIO(IOAccess.newBuilder()
                        .fileSystem(new ModuleFiles(packages, commonJs))
                        .build())
                .option("js.text-encoding", "true")
                .option("js.async-context", "true")
                .option("js.stack-trace-api", "true")
                .option("js.import-attributes", "true")
                .option("js.json-modules", "true")
                .option("js.esm-bare-specifier-relative-lookup", "true")
                .option("js.esm-eval-returns-exports", "true")
                .option("js.unhandled-rejections", "throw")
                .option("engine.WarnInterpreterOnly", "false")
                .build();
    }

    private int unsettled() {
        System.err.println("Warning: Detected unsettled top-level await in " + file);
        return UNSETTLED;
    }

    /** As Node.js: the error with its stack. */
    private static void report(PolyglotException failure, Value node) {
        PrintStream errors = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        if (!failure.isGuestException()) {
            failure.printStackTrace(errors);
            return;
        }
        Value thrown = failure.getGuestObject();
        if (thrown == null) {
            errors.println(failure.getMessage());
        } else {
            String shown = node.invokeMember("inspect", thrown).asString();
            errors.println(thrown.isException() && thrown.hasMember("stack") ? shown : "Uncaught " + shown);
        }
    }
}
