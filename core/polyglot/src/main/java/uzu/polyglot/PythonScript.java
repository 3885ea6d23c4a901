package uzu.polyglot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;

/** A file of Python with its arguments, run by GraalPy as {@code python} would. */
record PythonScript(Path file, List<String> arguments) {
    /** @return the exit status */
    int run() throws IOException {
        try (Context context = context()) {
            UzuPolyglot.bindEngine(context);
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
                // The system's own calls know which of the three streams is a terminal. That they take no others is right here.
                .option("python.PosixModuleBackend", posixBackend())
                .option("log.python.com.oracle.graal.python.runtime.PythonContext.level", "SEVERE")
                .option("python.DontWriteBytecodeFlag", "false")
                .option("python.WarnExperimentalFeatures", "false")
                .option("engine.WarnInterpreterOnly", "false")
                .build();
    }

    private static String posixBackend() {
        return System.getProperty("os.name").startsWith("Windows") ? "java" : "native";
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
