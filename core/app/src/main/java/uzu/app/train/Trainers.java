package uzu.app.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * The programs that train networks: Python, with torch, numpy and gguf. They keep checkpoints of their own.
 *
 * @param python an interpreter
 * @param programs the folder with {@code train_network.py} and {@code train_block.py}
 * @param begin a feature network to train further, instead of one from the start
 */
public record Trainers(Path python, Path programs, @Nullable Path begin) {
    /**
     * Trains until it is done or the time is over.
     *
     * @param kind {@code NETWORK} or {@code BLOCK}
     * @param speculator takes the result
     * @param fingerprint of the target's vocabulary
     * @param layers whose outputs the recorded features are
     */
    void run(
            TrainDrafter.Kind kind,
            TrainingFolder folder,
            Path speculator,
            String fingerprint,
            int[] layers,
            double seconds,
            int threads,
            Progress progress) {
        boolean network = kind == TrainDrafter.Kind.NETWORK;
        Path program = programs.resolve(network ? "train_network.py" : "train_block.py");
        List<String> command = new ArrayList<>(List.of(
                python.toString(),
                "-u",
                program.toString(),
                folder.path().toString(),
                (network ? speculator.resolve("network.gguf") : speculator).toString(),
                "--fingerprint",
                fingerprint,
                "--seconds",
                Long.toString((long) seconds),
                "--threads",
                Integer.toString(threads),
                "--layers"));
        Arrays.stream(layers).mapToObj(Integer::toString).forEach(command::add);
        if (network && begin != null) {
            command.addAll(List.of("--begin", begin.toString()));
        }
        progress.say("%s", String.join(" ", command));
        int status = run(command);
        if (status != 0) {
            throw new UzuException.InvalidState(
                    program.getFileName() + " ended with " + status + ": the reason is above",
                    Map.of("program", program.toString()));
        }
    }

    /** Its lines become ours; it ends when this program does, because its input ends then. */
    private static int run(List<String> command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            // Threads that spin for the others cost a busy machine three quarters of the speed.
            builder.environment().put("OMP_WAIT_POLICY", "PASSIVE");
            builder.environment().put("GOMP_SPINCOUNT", "0");
            Process process = builder.start();
            try {
                return process.waitFor();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UzuException.InvalidState("the trainer can't be started: " + e.getMessage(), Map.of(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("training was interrupted");
        }
    }

    /** @throws UzuException.InvalidArgument naming what is missing */
    void check() {
        if (begin != null && !Files.isRegularFile(begin)) {
            throw new UzuException.InvalidArgument("there is no network " + begin + " to begin with");
        }
        if (!Files.isDirectory(programs)) {
            throw new UzuException.InvalidArgument("there is no folder of trainers " + programs);
        }
        if (run(List.of(python.toString(), "-c", "import torch, numpy, gguf")) != 0) {
            throw new UzuException.InvalidArgument(python
                    + " lacks torch, numpy or gguf, which training networks needs (tools/tools train-drafter makes"
                    + " such an environment); --only tables needs none of them");
        }
    }
}
