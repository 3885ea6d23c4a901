package uzu.tools;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** {@code tools <command> …}: the one program for building, testing and running what is in the repository. */
public final class Main {
    private static final String USAGE = """
            usage: tools/tools <command> [arguments]
              setup                              everything that development needs: builds, Python, model, test material
              install swift                      Swift, where the system has none: Debian's, into the cache
              install library [FOLDER]           libuzu for programs outside the repository, in ~/.local/lib/uzu if not said
              build [java|native|python|js|kotlin|swift]  what is stale; all but Kotlin without an argument
              build native-image                 libuzu without a JVM, by a GraalVM 25; "build native" makes it too
              build kernels [--all]              the kernels in C; --all: for every platform, as a release's jar has them
              test [SUITE ...] [--full]          documents, tools, java, c, python, js, swift; --full adds peer, large models
              example <language> <name> ...      an example of examples/, prepared and run
              run <language> <file> ...          any script in the prepared environment
              bench [<what> ...]                 speed and quality, beside llama.cpp's too; alone, what there is
              bench streams [<model>] ...        what a token costs on its way to Java, Python and Node.js
              train-drafter <model> ...          drafters for a model, of its own dialogues; --status, --stop
              trace <model> --ids F ...          activations of a run, recorded and compared
              render --check DIR                 chat templates against recorded output
              format                             formats the Java sources
            Each command does what it needs first. The languages are %s.""".formatted(Language.names(", "));

    private Main() {}

    /** @param arguments the repository's root, which the launcher knows, then the user's arguments */
    public static void main(String[] arguments) {
        Workspace workspace =
                new Workspace(Path.of(arguments[0]).toAbsolutePath().normalize());
        int status;
        try {
            status = run(workspace, List.of(arguments).subList(1, arguments.length));
        } catch (Failure failure) {
            System.err.println("tools: " + failure.getMessage());
            status = failure.status();
        } catch (UncheckedIOException failure) {
            System.err.println("tools: " + failure.getCause());
            status = 1;
        }
        System.exit(status);
    }

    private static int run(Workspace workspace, List<String> arguments) {
        if (arguments.isEmpty()) {
            System.err.println(USAGE);
            return 2;
        }
        List<String> rest = arguments.subList(1, arguments.size());
        return switch (arguments.getFirst()) {
            case "setup" -> new SetupCommand(workspace).run(rest);
            case "install" -> new InstallCommand(workspace).run(rest);
            case "build" -> new BuildCommand(workspace).run(rest);
            case "test" -> new TestCommand(workspace).run(rest);
            case "example" -> new ExampleCommand(workspace).run(rest);
            case "run" -> new RunCommand(workspace).run(rest);
            case "bench" ->
                rest.isEmpty() || !rest.getFirst().equals("streams")
                        ? new AppCommand(workspace).run(arguments)
                        : new StreamBench(workspace).run(rest.subList(1, rest.size()));
            case "trace", "render" -> new AppCommand(workspace).run(arguments);
            case "train-drafter" -> new TrainCommand(workspace).run(arguments);
            case "format" -> new FormatCommand(workspace).run(rest);
            case "help", "--help", "-h" -> {
                System.out.println(USAGE);
                yield 0;
            }
            default -> throw new Failure("there is no command " + arguments.getFirst() + "\n" + USAGE, 2);
        };
    }
}
