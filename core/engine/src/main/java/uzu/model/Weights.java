package uzu.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import uzu.UzuException;
import uzu.backend.Backend;
import uzu.backend.RowOrder;
import uzu.backend.Weight;
import uzu.format.Checkpoint;
import uzu.format.Dequantize;
import uzu.format.Tensor;

/**
 * The tensors of a checkpoint on their way to a backend: shapes are checked, and each must be taken once or the load
 * fails by name. Names are those of published checkpoints; {@code names} turns them into the file's.
 */
final class Weights {
    private final Checkpoint checkpoint;
    private final Backend backend;
    private final UnaryOperator<String> names;
    private final Map<String, Weight> resident = new HashMap<>();
    private final Set<String> taken = new HashSet<>();

    Weights(Checkpoint checkpoint, Backend backend, UnaryOperator<String> names) {
        this.checkpoint = checkpoint;
        this.backend = backend;
        this.names = names;
    }

    boolean has(String name) {
        return checkpoint.tensors().containsKey(names.apply(name));
    }

    /** [rows, columns]. */
    Linear linear(String name, int rows, int columns, RowOrder order) {
        Weight weight = matrix(name + ".weight", rows, columns, order);
        return new Linear(weight, has(name + ".bias") ? bias(name + ".bias", rows, order) : null);
    }

    Linear linear(String name, int rows, int columns) {
        return linear(name, rows, columns, new RowOrder.Plain());
    }

    /** With a bias that must be there. */
    Linear biased(String name, int rows, int columns) {
        Weight weight = matrix(name + ".weight", rows, columns, new RowOrder.Plain());
        return new Linear(weight, bias(name + ".bias", rows, new RowOrder.Plain()));
    }

    Weight matrix(String name, int rows, int columns, RowOrder order) {
        Tensor tensor = take(name, rows, columns);
        return resident.computeIfAbsent(tensor.name(), n -> backend.matrix(tensor, order));
    }

    /** Rows of a matrix whose count only the file knows. */
    int rows(String name) {
        Tensor tensor = find(name);
        if (tensor.rows() > 1 << 24) {
            throw new UzuException.ModelCorrupt(
                    tensor.name() + " has " + tensor.rows() + " rows", Map.of("tensor", tensor.name()));
        }
        return (int) tensor.rows();
    }

    /** A norm's weights; {@code plus} is added to each. */
    Norm norm(String name, int size, float epsilon, float plus) {
        float[] values = floats(name + ".weight", size);
        for (int i = 0; i < size; i++) {
            values[i] += plus;
        }
        return new Norm(backend.vector(name, values), epsilon);
    }

    float[] floats(String name, int size) {
        Tensor tensor = take(name, 1, size);
        float[] values = new float[size];
        Dequantize.row(tensor, 0, values);
        return values;
    }

    private Weight bias(String name, int rows, RowOrder order) {
        float[] stored = floats(name, rows);
        float[] values = new float[rows];
        for (int row = 0; row < rows; row++) {
            values[row] = stored[order.source(row)];
        }
        return backend.vector(name, values);
    }

    private Tensor find(String name) {
        String stored = names.apply(name);
        Tensor tensor = checkpoint.tensors().get(stored);
        if (tensor == null) {
            throw new UzuException.TensorMissing(
                    "the model has no tensor " + stored + ", which its architecture needs", Map.of("tensor", stored));
        }
        return tensor;
    }

    private Tensor take(String name, long rows, long columns) {
        Tensor tensor = find(name);
        if (tensor.rows() != rows || tensor.columns() != columns) {
            throw new UzuException.ModelCorrupt(
                    "%s has shape [%d, %d]; its configuration needs [%d, %d]"
                            .formatted(tensor.name(), tensor.rows(), tensor.columns(), rows, columns),
                    Map.of("tensor", tensor.name()));
        }
        taken.add(tensor.name());
        return tensor;
    }

    /** Refuses a checkpoint with tensors that nothing used: the model would compute something else than intended. */
    void finish() {
        Set<String> left = new TreeSet<>(checkpoint.tensors().keySet());
        left.removeAll(taken);
        left.removeIf(Weights::isDerived);
        if (!left.isEmpty()) {
            String first = left.iterator().next();
            throw new UzuException.ModelUnsupported(
                    "the model has %d tensors that its architecture doesn't use, such as %s"
                            .formatted(left.size(), first),
                    Map.of("tensor", first));
        }
    }

    /** Rotation tables that old checkpoints carry, and the parts of multimodal models that text doesn't touch. */
    private static boolean isDerived(String name) {
        return name.endsWith(".rotary_emb.inv_freq")
                || name.startsWith("vision_tower.")
                || name.startsWith("model.vision_tower.")
                || name.startsWith("multi_modal_projector.")
                || name.startsWith("model.multi_modal_projector.");
    }
}
