package uzu.app.train;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.app.train.TensorFile.Part;
import uzu.format.Checkpoint;
import uzu.format.Dequantize;
import uzu.format.Tensor;

/**
 * Writes what trainers need of the target: {@code embedding} F16 [vocabulary, hidden], {@code readout} likewise where
 * it is another one, {@code norm} F32 [hidden] before it, and {@code uses} I32 [vocabulary]: how often prompts have a
 * token.
 */
final class TargetStage {
    private TargetStage() {}

    static void run(TrainingFolder folder, Checkpoint checkpoint, Prompts prompts) {
        Path file = folder.target();
        if (Files.exists(file)) {
            return;
        }
        Tensor embedding = required(checkpoint, "token_embd.weight", "model.embed_tokens.weight");
        Tensor readout = first(checkpoint, "output.weight", "lm_head.weight");
        Tensor norm = required(checkpoint, "output_norm.weight", "model.norm.weight");
        long bytes = 2 * embedding.rows() * embedding.columns() * (readout == null ? 1 : 2);
        Disk.require(folder.path(), bytes, "the target's embedding and readout");
        List<Part> parts = new ArrayList<>(List.of(half("embedding", embedding), floats("norm", norm)));
        int[] uses = prompts.uses(Math.toIntExact(embedding.rows()));
        parts.add(new Part("uses", "I32", new long[] {uses.length}, List.of(MemorySegment.ofArray(uses))));
        if (readout != null) {
            parts.add(half("readout", readout));
        }
        TensorFile.write(file, parts);
    }

    private static Part half(String name, Tensor tensor) {
        int columns = Math.toIntExact(tensor.columns());
        float[] row = new float[columns];
        List<MemorySegment> rows = new ArrayList<>();
        for (long r = 0; r < tensor.rows(); r++) {
            Dequantize.row(tensor, r, row);
            short[] halves = new short[columns];
            for (int i = 0; i < columns; i++) {
                halves[i] = Float.floatToFloat16(row[i]);
            }
            rows.add(MemorySegment.ofArray(halves));
        }
        return new Part(name, "F16", new long[] {tensor.rows(), columns}, rows);
    }

    private static Part floats(String name, Tensor tensor) {
        float[] row = new float[Math.toIntExact(tensor.columns())];
        Dequantize.row(tensor, 0, row);
        return new Part(name, "F32", new long[] {row.length}, List.of(MemorySegment.ofArray(row)));
    }

    private static Tensor required(Checkpoint checkpoint, String... names) {
        Tensor tensor = first(checkpoint, names);
        if (tensor == null) {
            throw new UzuException.ModelUnsupported(
                    "no network can be trained for a model without " + String.join(" or ", names), Map.of());
        }
        return tensor;
    }

    private static @Nullable Tensor first(Checkpoint checkpoint, String... names) {
        for (String name : names) {
            Tensor tensor = checkpoint.tensors().get(name);
            if (tensor != null) {
                return tensor;
            }
        }
        return null;
    }
}
