package uzu.model;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import uzu.UzuException;
import uzu.backend.Backend;
import uzu.backend.RowOrder;
import uzu.backend.Weight;
import uzu.format.Dequantize;
import uzu.format.HfFolder;
import uzu.format.Tensor;

/**
 * The tensors of an exported model on their way to a backend. A linear's matrix is {@code <path>.weights.weights}, rows
 * being outputs, with its specification in the file's header; its bias is {@code <path>.biases}.
 */
final class ExportedWeights {
    private final HfFolder folder;
    private final Backend backend;
    private final Set<String> taken = new HashSet<>();

    ExportedWeights(HfFolder folder, Backend backend) {
        this.folder = folder;
        this.backend = backend;
    }

    /**
     * The matrices that are stacked in one.
     *
     * @param outputs rows of each
     */
    List<Linear> linears(String path, int[] outputs, int columns, boolean biases) {
        int rows = Arrays.stream(outputs).sum();
        Tensor whole = matrix(path, rows, columns);
        return parts(path, whole, outputs, biases ? floats(path + ".biases", rows) : null);
    }

    private List<Linear> parts(String path, Tensor whole, int[] outputs, float @Nullable [] bias) {
        List<Linear> linears = new ArrayList<>();
        int from = 0;
        for (int count : outputs) {
            Weight weight = backend.matrix(rows(whole, from, count), new RowOrder.Plain());
            Weight added = bias == null
                    ? null
                    : backend.vector(path + ".biases." + from, Arrays.copyOfRange(bias, from, from + count));
            linears.add(new Linear(weight, added));
            from += count;
        }
        return linears;
    }

    Linear linear(String path, int rows, int columns, boolean biases) {
        return linears(path, new int[] {rows}, columns, biases).getFirst();
    }

    /**
     * Linears behind a norm with biases, which theirs take over, as W·(n + b) = W·n + W·b.
     *
     * @param norm where the norm is
     */
    List<Linear> linearsAfter(String norm, String path, int[] outputs, int columns, boolean biases) {
        int rows = Arrays.stream(outputs).sum();
        Tensor whole = matrix(path, rows, columns);
        float[] bias = biases ? floats(path + ".biases", rows) : new float[rows];
        float[] before = floats(norm + ".biases", columns);
        float[] weights = new float[columns];
        for (int row = 0; row < rows; row++) {
            Dequantize.row(whole, row, weights);
            double sum = bias[row];
            for (int i = 0; i < columns; i++) {
                sum += (double) weights[i] * before[i];
            }
            bias[row] = (float) sum;
        }
        return parts(path, whole, outputs, bias);
    }

    /** Rows {@code from} to {@code from + count} of a linear's matrix as they are stored. */
    MemorySegment stored(String path, int rows, int columns, int from, int count) {
        return rows(matrix(path, rows, columns), from, count).data();
    }

    Norm norm(String path, int size, ExportedNorm norm) {
        float[] scales = new float[size];
        Arrays.fill(scales, 1);
        if (norm.hasScale()) {
            scales = floats(path + ".scales", size);
            for (int i = 0; i < size; i++) {
                scales[i] += norm.plus();
            }
        }
        return new Norm(backend.vector(path, scales), norm.epsilon());
    }

    /** Refuses tensors that nothing used. */
    void finish() {
        Set<String> left = new TreeSet<>(folder.tensors().keySet());
        left.removeAll(taken);
        if (!left.isEmpty()) {
            String first = left.iterator().next();
            throw new UzuException.ModelUnsupported(
                    "the speculator has %d tensors that its configuration doesn't use, such as %s"
                            .formatted(left.size(), first),
                    Map.of("tensor", first));
        }
    }

    private Tensor matrix(String path, int rows, int columns) {
        requireFullPrecision(path + ".weights");
        return take(path + ".weights.weights", rows, columns);
    }

    private void requireFullPrecision(String path) {
        String name = path + ".spec";
        String text = folder.metadata().get(name);
        if (text == null) {
            throw new UzuException.ModelCorrupt(
                    "the header doesn't say how " + path + " is stored", Map.of("tensor", path, "field", name));
        }
        JsonNode spec;
        try {
            spec = JsonMapper.shared().readTree(text);
        } catch (JacksonException e) {
            throw new UzuException.ModelCorrupt(
                    name + " is malformed: " + e.getOriginalMessage(), Map.of("tensor", path, "field", name), e);
        }
        String type = spec.path("type").asString("");
        String layout = spec.path("layout").asString("output_input");
        if (!type.equals("FullPrecisionSpec") || !layout.equals("output_input")) {
            throw new UzuException.ModelUnsupported(
                    path + " is stored as " + text + "; supported: FullPrecisionSpec, output_input",
                    Map.of("tensor", path, "type", type));
        }
    }

    private float[] floats(String name, int size) {
        Tensor tensor = take(name, 1, size);
        float[] values = new float[size];
        Dequantize.row(tensor, 0, values);
        return values;
    }

    private Tensor take(String name, int rows, int columns) {
        Tensor tensor = folder.tensors().get(name);
        if (tensor == null) {
            throw new UzuException.TensorMissing("the speculator has no tensor " + name, Map.of("tensor", name));
        }
        if (tensor.rows() != rows || tensor.columns() != columns) {
            throw new UzuException.ModelCorrupt(
                    "%s has shape [%d, %d]; its configuration needs [%d, %d]"
                            .formatted(name, tensor.rows(), tensor.columns(), rows, columns),
                    Map.of("tensor", name));
        }
        taken.add(name);
        return tensor;
    }

    private static Tensor rows(Tensor tensor, int from, int count) {
        long bytes = tensor.type().rowBytes(tensor.columns());
        return new Tensor(
                tensor.name() + "." + from,
                tensor.type(),
                count,
                tensor.columns(),
                tensor.data().asSlice(from * bytes, count * bytes));
    }
}
