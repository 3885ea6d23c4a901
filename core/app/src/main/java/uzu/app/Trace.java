package uzu.app;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import uzu.KvCache;
import uzu.Precision;
import uzu.UzuException;
import uzu.app.ActivationRecord.Activations;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Checkpoint;
import uzu.model.LanguageModel;

/**
 * {@code trace MODEL --ids F.safetensors [--out G.safetensors] [--compare T.safetensors] [--precision exact|fast]}:
 * records the activations of a run over the ids of F, and says layer by layer where they part from those of T.
 * The cache is float; exact precision unless told otherwise. Exit status 1 when a difference is beyond the tolerance:
 * {@code suggested_abs_tol} of the trace.json beside T, else 1e-4.
 */
final class Trace {
    private static final double DEFAULT_TOLERANCE = 1e-4;
    private static final int CHUNK = 128;

    private final PrintStream out;

    Trace(PrintStream out) {
        this.out = out;
    }

    int run(Arguments arguments) {
        String model = arguments.positional("MODEL");
        @Nullable String ids = arguments.option("ids");
        @Nullable String write = arguments.option("out");
        @Nullable String compare = arguments.option("compare");
        Precision precision = precision(arguments.option("precision", "exact"));
        arguments.finish();
        if (ids == null) {
            throw new UzuException.InvalidArgument("trace needs --ids F.safetensors, a file with a tensor ids");
        }
        ActivationRecord expected = compare == null ? null : ActivationRecord.read(Path.of(compare));
        int[] tokens = ActivationRecord.read(Path.of(ids)).ids();
        if (tokens.length == 0) {
            throw new UzuException.InvalidArgument(ids + " has no tensor ids (I64)");
        }
        ActivationRecord record = record(model, precision, tokens);
        if (write != null) {
            record.write(Path.of(write));
            out.printf(
                    "wrote %d tensors over %d tokens to %s%n", record.tensors().size(), tokens.length, write);
        }
        return expected == null ? 0 : compare(record, expected, tolerance(Path.of(String.valueOf(compare))));
    }

    static Precision precision(String word) {
        return switch (word) {
            case "exact" -> Precision.EXACT;
            case "fast" -> Precision.FAST;
            default -> throw new UzuException.InvalidArgument("--precision is exact or fast, not " + word);
        };
    }

    private static ActivationRecord record(String model, Precision precision, int[] tokens) {
        CpuOptions options = CpuOptions.defaults().withPrecision(precision).withCache(KvCache.F32);
        try (CpuBackend backend = CpuBackend.open(options);
                Checkpoint checkpoint = Models.open(model);
                LanguageModel loaded = LanguageModel.load(checkpoint, backend)) {
            int chunk = Math.min(CHUNK, loaded.executable().maxRows());
            return RecordingRun.of(loaded.executable(), tokens, chunk);
        }
    }

    /** Prints a line for each tensor both have, in the order of the pass; 1 when one is beyond {@code tolerance}. */
    private int compare(ActivationRecord record, ActivationRecord expected, double tolerance) {
        int beyond = 0;
        int compared = 0;
        for (Map.Entry<String, Activations> entry : record.tensors().entrySet()) {
            Activations theirs = expected.tensors().get(entry.getKey());
            if (theirs == null) {
                continue;
            }
            compared++;
            Activations ours = entry.getValue();
            if (ours.values().length != theirs.values().length) {
                out.printf(
                        "%-40s has %d values, expected %d%n",
                        entry.getKey(), ours.values().length, theirs.values().length);
                beyond++;
                continue;
            }
            Difference difference = Difference.of(ours.values(), theirs.values(), tolerance);
            out.printf(
                    "%-40s largest difference %.2e%s%n",
                    entry.getKey(),
                    difference.largest,
                    difference.first < 0
                            ? ""
                            : " BEYOND from position " + difference.first / Math.max(1, ours.columns()));
            beyond += difference.first < 0 ? 0 : 1;
        }
        if (compared == 0) {
            out.println("the two records have no tensor in common");
            return 1;
        }
        out.printf("%d of %d tensors within %.1e%n", compared - beyond, compared, tolerance);
        return beyond == 0 ? 0 : 1;
    }

    /** @param first the first value beyond the tolerance (or not a number), −1: none */
    private record Difference(double largest, int first) {
        static Difference of(float[] ours, float[] theirs, double tolerance) {
            double largest = 0;
            int first = -1;
            for (int i = 0; i < ours.length; i++) {
                double difference = Math.abs((double) ours[i] - theirs[i]);
                if (!(difference <= tolerance) && first < 0) {
                    first = i;
                }
                largest = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(largest, difference);
            }
            return new Difference(largest, first);
        }
    }

    private static double tolerance(Path compared) {
        Path beside = compared.resolveSibling("trace.json");
        if (!Files.exists(beside)) {
            return DEFAULT_TOLERANCE;
        }
        try {
            return new JsonMapper()
                    .readTree(Files.readString(beside))
                    .path("suggested_abs_tol")
                    .asDouble(DEFAULT_TOLERANCE);
        } catch (IOException | JacksonException e) {
            throw new UzuException.InvalidArgument(
                    beside + " can't be read: " + e.getMessage(), Map.of("path", beside.toString()), e);
        }
    }
}
