package uzu.app;

import java.io.PrintStream;
import java.util.List;

/** {@code bench WHAT …}: measurements. Each prints what it compares and how it was taken. */
final class Bench {
    private Bench() {}

    static int run(List<String> arguments, PrintStream out) {
        String what = arguments.isEmpty() ? "" : arguments.getFirst();
        Arguments rest = new Arguments(arguments.subList(Math.min(1, arguments.size()), arguments.size()));
        return switch (what) {
            case "kernels" -> new KernelBench(out).run(rest);
            case "model" -> new ModelBench(out).run(rest);
            case "start" -> new StartBench(out).run(rest);
            case "profile" -> new ProfileBench(out).run(rest);
            case "quality" -> new Quality(out).run(rest);
            case "greedy" -> new Greedy(out).run(rest);
            default -> throw new Usage("bench kernels, bench model, bench profile, bench quality or bench greedy");
        };
    }
}
