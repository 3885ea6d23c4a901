package uzu.app;

import java.util.Arrays;
import java.util.List;
import uzu.UzuException;

/** The {@code uzu} program: a command and its arguments. Exits with 0, with 1 when it failed, with 2 when misused. */
public final class Main {
    private static final String USAGE = """
            usage: uzu <command> …
              render --check DIR    render a collection of chat templates and compare
              trace MODEL --ids F.safetensors [--out G.safetensors] [--compare T.safetensors]
                                    record the activations of a run; say where two records part
              train-drafter MODEL … drafters for a model, of its own dialogues; --status, --stop
              bench WHAT …          speed and quality; without WHAT, what there is
            """;

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(Arrays.asList(arguments)));
    }

    static int run(List<String> arguments) {
        String command = arguments.isEmpty() ? "" : arguments.getFirst();
        List<String> rest = arguments.subList(Math.min(1, arguments.size()), arguments.size());
        try {
            return switch (command) {
                case "render" -> Render.run(rest, System.out);
                case "trace" -> new Trace(System.out).run(new Arguments(rest));
                case "train-drafter" -> new TrainDrafterCommand(System.out).run(rest);
                case "bench" -> Bench.run(rest, System.out);
                default -> throw new Usage(command.isEmpty() ? "no command" : "unknown command '" + command + "'");
            };
        } catch (Usage usage) {
            System.err.println("uzu: " + usage.getMessage());
            System.err.print(USAGE);
            return 2;
        } catch (UzuException failure) {
            System.err.println("uzu: " + failure.getMessage());
            return 1;
        }
    }
}
