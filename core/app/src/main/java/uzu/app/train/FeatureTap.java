package uzu.app.train;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import uzu.UzuException;
import uzu.backend.Executable;

/** What chosen layers put out in the last pass, as bfloat16: the features that a drafter's network conditions on. */
final class FeatureTap implements Executable.Tracer {
    private final Map<String, Integer> places;
    private final float[][] values;
    private final int hidden;

    /**
     * @param layers counted from 0
     * @param hidden width of a layer's output
     */
    FeatureTap(int[] layers, int hidden) {
        this.places = IntStream.range(0, layers.length)
                .boxed()
                .collect(Collectors.toUnmodifiableMap(i -> "layer." + layers[i], i -> i));
        this.values = new float[layers.length][];
        this.hidden = hidden;
    }

    /** The early, middle and late layer of a model with {@code layers} of them. */
    static int[] usualLayers(int layers) {
        if (layers < 6) {
            throw new UzuException.ModelUnsupported(
                    "a model of " + layers + " layers is too shallow for a feature drafter", Map.of());
        }
        return new int[] {2, layers / 2, layers - 3};
    }

    /** Numbers of a token. */
    int width() {
        return values.length * hidden;
    }

    @Override
    public void tap(String name, int rows, int width, float[] tapped) {
        Integer place = places.get(name);
        if (place != null) {
            values[place] = tapped;
        }
    }

    /** Writes what was seen at a row of the pass to {@link #width} places of {@code into}, from {@code at} on. */
    void copyRow(int row, short[] into, int at) {
        for (float[] layer : values) {
            for (int i = 0; i < hidden; i++) {
                into[at++] = bfloat16(layer[row * hidden + i]);
            }
        }
    }

    /** Rounded to the nearest, ties to even. */
    static short bfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        return (short) (bits + 0x7FFF + (bits >>> 16 & 1) >>> 16);
    }
}
