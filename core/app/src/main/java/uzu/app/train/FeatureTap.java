package uzu.app.train;

import java.util.Map;
import uzu.UzuException;
import uzu.backend.Features;
import uzu.model.LanguageModel;

/** What chosen layers put out in the last pass, as bfloat16: the features that a drafter's network conditions on. */
final class FeatureTap implements AutoCloseable {
    private final int[] layers;
    private final Features features;
    private final float[] row;

    private FeatureTap(int[] layers, Features features) {
        this.layers = layers;
        this.features = features;
        this.row = new float[features.width()];
    }

    /** Records the outputs of an early, a middle and a late layer of {@code model}. */
    static FeatureTap of(LanguageModel model) {
        int[] layers = usualLayers(model.layers());
        return new FeatureTap(layers, model.features(layers));
    }

    static int[] usualLayers(int layers) {
        if (layers < 6) {
            throw new UzuException.ModelUnsupported(
                    "a model of " + layers + " layers is too shallow for a feature drafter", Map.of());
        }
        return new int[] {2, layers / 2, layers - 3};
    }

    /** Counted from 0. */
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
