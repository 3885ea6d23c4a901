package uzu.polyglot;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Runs a script as {@code python} or {@code node} would, with the package uzu: {@code python FILE …} or
 * {@code js FILE …}. The exit status is the script's.
 */
public final class Launcher {
    private static final int USAGE = 2;

    private Launcher() {}

    /** @param arguments the language, the script, and its arguments */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 2 || !List.of("python", "js").contains(arguments[0])) {
            System.err.println("usage: uzu.polyglot.Launcher <python|js> <file> [arguments]");
            System.exit(USAGE);
        }
        Path file = Path.of(arguments[1]).toAbsolutePath().normalize();
        if (!Files.isRegularFile(file)) {
            System.err.println("can't open file " + file);
            System.exit(USAGE);
        }
        List<String> rest = Arrays.asList(arguments).subList(2, arguments.length);
        int status =
                arguments[0].equals("python") ? new PythonScript(file, rest).run() : new JsScript(file, rest).run();
        System.out.flush();
        // Threads that a script has left behind don't keep the process, as with python and node.
        Runtime.getRuntime().exit(status);
    }
}
