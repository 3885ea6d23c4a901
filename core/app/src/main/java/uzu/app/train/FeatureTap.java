package uzu.app.train;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import uzu.UzuException;
import uzu.backend.Executable;
import uzu.backend.Features;
import uzu.backend.Sequence;

/** What chosen layers put out in the last pass, as bfloat16: the features that a drafter's network conditions on. */
final class FeatureTap implements AutoCloseable {
    private final int layerCount;
    private final int[] layers;
    private final Features features;
    private final float[] row;

    private FeatureTap(int layerCount, int[] layers, Features features) {
        this.layerCount = layerCount;
        this.layers = layers;
        this.features = features;
        this.row = new float[features.width()];
    }

    /** Records the outputs of an early, a middle and a late layer of {@code executable}. */
    static FeatureTap of(Executable executable) {
        int count = count(executable);
        int[] layers = usualLayers(count);
        List<String> names =
                Arrays.stream(layers).mapToObj(layer -> "layer." + layer).toList();
        return new FeatureTap(count, layers, executable.features(names));
    }

    static int[] usualLayers(int layers) {
        if (layers < 6) {
            throw new UzuException.ModelUnsupported(
                    "a model of " + layers + " layers is too shallow for a feature drafter", Map.of());
        }
        return new int[] {2, layers / 2, layers - 3};
    }

    private static int count(Executable executable) {
        int[] count = {0};
        try (Sequence sequence = executable.newSequence()) {
            Run run = new Run(sequence, new int[] {0});
            executable.run(run, () -> false, (name, rows, width, values) -> count[0] += name.startsWith("layer.") ? 1 : 0);
        }
        return count[0];
    }

    /** Of the model. */
    int layerCount() {
        return layerCount;
    }

    /** Those whose outputs are recorded, counted from 0. */
    int[] layers() {
        return layers.clone();
    }

    /** Numbers of a token. */
    int width() {
        return features.width();
    }

    /** Writes what was seen at a row of the pass to {@link #width} places of {@code into}, from {@code at} on. */
    void copyRow(int number, short[] into, int at) {
        features.copy(number, row, 0);
        for (float value : row) {
            into[at++] = bfloat16(value);
        }
    }

    /** Rounded to the nearest, ties to even. */
    static short bfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        return (short) (bits + 0x7FFF + (bits >>> 16 & 1) >>> 16);
    }

    @Override
    public void close() {
        features.close();
    }
}
