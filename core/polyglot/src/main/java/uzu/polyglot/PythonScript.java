package uzu.polyglot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/** A file of Python with its arguments, run by GraalPy as {@code python} would. */
record PythonScript(Path file, List<String> arguments) {
    /**
     * GraalPy has one word for all of the standard streams. It would ask the system if it made native calls, which it warns
     * of in programs like this one.
     */
    private static final String TERMINALS = """
            def tell(is_terminal):
                import os, sys
                other = os.isatty
                os.isatty = lambda fd: bool(is_terminal(fd)) if fd in (0, 1, 2) else other(fd)
                for fd, stream in enumerate((sys.stdin, sys.stdout, sys.stderr)):
                    if stream is not None:
                        stream.isatty = lambda fd=fd: bool(is_terminal(fd))
            tell
            """;

    /** @return the exit status */
    int run() throws IOException {
        try (Context context = context()) {
            UzuPolyglot.bindEngine(context);
            ProxyExecutable isTerminal = values -> Terminal.is(values[0].asInt());
            context.eval(Source.newBuilder("python", TERMINALS, "<internal>")
                            .internal(true)
                            .build())
                    .executeVoid(isTerminal);
            // What GraalPy's own launcher does: sys.path, __main__ and tracebacks are as Python's.
            context.eval(Source.newBuilder("python", "__graalpython__.run_path()", "<internal>")
                    .internal(true)
                    .build());
            return 0;
        } catch (PolyglotException failure) {
            return status(failure);
        }
    }

    private Context context() {
        String path = Objects.requireNonNullElse(System.getenv("PYTHONPATH"), "");
        String[] all =
                Stream.concat(Stream.of(file.toString()), arguments.stream()).toArray(String[]::new);
        return Context.newBuilder("python")
                .allowAllAccess(true)
                .arguments("python", all)
                .option("python.PythonPath", path)
                .option("python.InputFilePath", file.toString())
                .option("python.AlwaysRunExcepthook", "true")
                .option("python.InstallSignalHandlers", "true")
                .option("python.TerminalIsInteractive", String.valueOf(Terminal.is(0) && Terminal.is(1)))
                .option("python.DontWriteBytecodeFlag", "false")
                .option("python.WarnExperimentalFeatures", "false")
                .option("engine.WarnInterpreterOnly", "false")
                .build();
    }

    private static int status(PolyglotException failure) {
        if (failure.isExit()) {
            return failure.getExitStatus();
        }
        // The exception hook has printed what Python code throws.
        if (!failure.isGuestException()) {
            failure.printStackTrace();
        }
        return 1;
    }
}
