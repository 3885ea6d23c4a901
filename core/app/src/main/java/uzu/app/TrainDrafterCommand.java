package uzu.app;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import uzu.EngineConfig;
import uzu.UzuException;
import uzu.app.train.Runner;
import uzu.app.train.TrainDrafter;
import uzu.app.train.Trainers;
import uzu.format.SpeculatorFolder;

/**
 * {@code train-drafter MODEL [--only tables,network,block] [--tokens N] [--featured N] [--hours H] [--threads N]
 * [--batch N] [--prompts DIR] [--folder DIR] [--begin FILE] [--foreground yes|no]}: makes drafters in the model's
 * {@link SpeculatorFolder}, apart from the terminal. {@code train-drafter MODEL --status} tells how far it is, {@code
 * --stop} ends it; the same command goes on with it later.
 */
final class TrainDrafterCommand {
    private static final List<String> BARE = List.of("--status", "--stop");

    private final PrintStream out;

    TrainDrafterCommand(PrintStream out) {
        this.out = out;
    }

    int run(List<String> words) {
        List<String> rest = words.stream().filter(word -> !BARE.contains(word)).toList();
        Arguments arguments = new Arguments(rest);
        Path model = Models.path(arguments.positional("MODEL")).toAbsolutePath().normalize();
        Path folder = Path.of(arguments.option("folder", workFolder(model).toString()));
        Runner runner = new Runner(folder);
        if (words.contains("--status")) {
            arguments.finish();
            return status(model, runner);
        }
        if (words.contains("--stop")) {
            arguments.finish();
            out.println(runner.stop() ? "stopped; the same command without --stop goes on" : "it wasn't running");
            return 0;
        }
        boolean foreground = arguments.yes("foreground", false);
        TrainDrafter.Plan plan = plan(arguments, model, folder);
        arguments.finish();
        if (foreground) {
            runner.alone(() -> new TrainDrafter(plan, out).run());
            return 0;
        }
        if (runner.isRunning()) {
            throw new UzuException.InvalidState("training is already running in " + folder + "; see --status, --stop");
        }
        plan.check();
        List<String> again = new ArrayList<>(List.of("train-drafter"));
        again.addAll(
                rest.stream().filter(word -> !word.startsWith("--foreground")).toList());
        again.add("--foreground=yes");
        ProcessHandle process = runner.startDetached(again);
        out.printf("training runs as process %d; it says how far it is in %s%n", process.pid(), runner.log());
        return 0;
    }

    private static TrainDrafter.Plan plan(Arguments arguments, Path model, Path folder) {
        Set<TrainDrafter.Kind> kinds = EnumSet.noneOf(TrainDrafter.Kind.class);
        for (String word : arguments.option("only", "tables,network").split(",")) {
            kinds.add(TrainDrafter.Kind.of(word));
        }
        int tokens = arguments.count("tokens", 1_000_000);
        @Nullable String python = arguments.option("python");
        @Nullable String prompts = arguments.option("prompts");
        @Nullable String programs = arguments.option("trainers");
        @Nullable String begin = arguments.option("begin");
        Path beginning = begin == null ? null : Path.of(begin).toAbsolutePath();
        if (beginning != null && !kinds.contains(TrainDrafter.Kind.NETWORK)) {
            throw new UzuException.InvalidArgument("--begin is for a network, which --only leaves out");
        }
        return new TrainDrafter.Plan(
                model,
                folder,
                kinds,
                tokens,
                Math.min(tokens, arguments.count("featured", 300_000)),
                hours(arguments.option("hours", "24")),
                arguments.count("threads", Runtime.getRuntime().availableProcessors()),
                arguments.count("batch", 48),
                prompts == null ? null : Path.of(prompts),
                python == null || programs == null
                        ? null
                        : new Trainers(Path.of(python), Path.of(programs), beginning));
    }

    private static double hours(String word) {
        try {
            double hours = Double.parseDouble(word);
            if (hours > 0 && hours < 10_000) {
                return hours;
            }
        } catch (NumberFormatException e) {
            // told below, like a number out of range
        }
        throw new UzuException.InvalidArgument("--hours needs a number such as 2.5, not " + word);
    }

    /** In the cache, by the model's name and place. */
    private static Path workFolder(Path model) {
        CRC32 place = new CRC32();
        place.update(model.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        String name = String.valueOf(model.getFileName()).replaceAll("\\.gguf$", "");
        return EngineConfig.create()
                .cachePath()
                .resolve("training")
                .resolve(name + "-" + Long.toHexString(place.getValue()));
    }

    private int status(Path model, Runner runner) {
        out.println(runner.process()
                .map(process -> "running as process " + process.pid())
                .orElse(runner.isRunning() ? "running" : "not running"));
        runner.lastLines(8).forEach(out::println);
        SpeculatorFolder.of(model).forEach(folder -> list(folder.path()));
        return 0;
    }

    private void list(Path speculator) {
        try (var files = Files.exists(speculator) ? Files.list(speculator) : java.util.stream.Stream.<Path>empty()) {
            for (Path file : files.sorted().toList()) {
                out.printf("%s: %.1f MB%n", file, Files.size(file) / 1e6);
            }
        } catch (IOException e) {
            throw new UzuException.InvalidArgument(speculator + " can't be read: " + e.getMessage());
        }
    }
}
