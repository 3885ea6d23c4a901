package uzu.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import uzu.backend.Activation;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.Rope;
import uzu.backend.RowOrder;
import uzu.backend.Value;
import uzu.backend.Weight;
import uzu.format.Tensor;
import uzu.format.TensorType;

/**
 * A small decoder with random weights that uses every operation: grouped heads, a layer with a window, biases, norms of
 * heads, two ropes, soft caps. Its float weights stay at hand for a reference computation.
 */
final class TinyModel {
    static final int VOCABULARY = 37;
    static final int HEADS = 6;
    static final int KV_HEADS = 2;
    /** No multiple of a vector. */
    static final int HEAD_SIZE = 24;
    /** Quantised caches take such. */
    static final int QUANTISED_HEAD_SIZE = 32;

    static final int WIDTH = 64;
    static final int FEED_FORWARD = 96;
    static final int WINDOW = 100;
    static final int LAYERS = 3;
    static final float EPSILON = 1e-5f;
    static final float SCORE_CAP = 20f;
    static final float LOGIT_CAP = 15f;
    static final float SCALE = 0.2f;

    final Map<String, float[]> weights = new HashMap<>();
    final int headSize;
    final Rope[] ropes;
    private final Random random;

    TinyModel(long seed) {
        this(seed, HEAD_SIZE);
    }

    TinyModel(long seed, int headSize) {
        this.headSize = headSize;
        ropes = new Rope[] {rope(10_000, 20, 1f), rope(500, headSize, 1.25f)};
        random = new Random(seed);
        vectors("embed", VOCABULARY * WIDTH, 1f, 0);
        for (int layer = 0; layer < LAYERS; layer++) {
            String l = layer + ".";
            vectors(l + "norm", WIDTH, 0.2f, 1);
            vectors(l + "q", HEADS * headSize * WIDTH, 0.3f, 0);
            vectors(l + "k", KV_HEADS * headSize * WIDTH, 0.3f, 0);
            vectors(l + "v", KV_HEADS * headSize * WIDTH, 0.2f, 0);
            vectors(l + "k.bias", KV_HEADS * headSize, 0.3f, 0);
            vectors(l + "q.norm", headSize, 0.2f, 1);
            vectors(l + "o", WIDTH * HEADS * headSize, 0.1f, 0);
            vectors(l + "ffn.norm", WIDTH, 0.2f, 1);
            vectors(l + "gate", FEED_FORWARD * WIDTH, 0.2f, 0);
            vectors(l + "up", FEED_FORWARD * WIDTH, 0.2f, 0);
            vectors(l + "down", WIDTH * FEED_FORWARD, 0.1f, 0);
        }
        vectors("norm", WIDTH, 0.2f, 1);
    }

    static int window(int layer) {
        return layer == 1 ? WINDOW : 0;
    }

    static Activation activation(int layer) {
        return layer == 1 ? Activation.GELU_TANH : Activation.SILU;
    }

    Program program(CpuBackend backend) {
        List<Value> values = new ArrayList<>();
        Value hidden = value(values, WIDTH, "hidden");
        Value normed = value(values, WIDTH, "normed");
        Value q = value(values, HEADS * headSize, "q");
        Value k = value(values, KV_HEADS * headSize, "k");
        Value v = value(values, KV_HEADS * headSize, "v");
        Value attended = value(values, HEADS * headSize, "attended");
        Value gate = value(values, FEED_FORWARD, "gate");
        Value up = value(values, FEED_FORWARD, "up");
        Value down = value(values, WIDTH, "down");
        Value logits = value(values, VOCABULARY, "logits");
        Weight embed = matrix(backend, "embed", VOCABULARY, WIDTH);
        List<Op> body = new ArrayList<>();
        body.add(new Op.Embed(embed, 1.5f, hidden));
        for (int layer = 0; layer < LAYERS; layer++) {
            String l = layer + ".";
            body.add(new Op.Norm(hidden, vector(backend, l + "norm"), EPSILON, normed));
            body.add(new Op.MatMul(
                    normed,
                    List.of(
                            new Op.Projection(matrix(backend, l + "q", HEADS * headSize, WIDTH), null, q, false),
                            new Op.Projection(
                                    matrix(backend, l + "k", KV_HEADS * headSize, WIDTH),
                                    vector(backend, l + "k.bias"),
                                    k,
                                    false),
                            new Op.Projection(matrix(backend, l + "v", KV_HEADS * headSize, WIDTH), null, v, false))));
            body.add(new Op.Norm(q, vector(backend, l + "q.norm"), EPSILON, q));
            body.add(new Op.Rotate(q, headSize, ropes[layer % 2]));
            body.add(new Op.Rotate(k, headSize, ropes[layer % 2]));
            body.add(new Op.Store(layer, k, v));
            body.add(new Op.Attend(q, layer, HEADS, SCALE, window(layer), layer == 2 ? SCORE_CAP : 0, attended));
            body.add(new Op.MatMul(
                    attended,
                    List.of(new Op.Projection(matrix(backend, l + "o", WIDTH, HEADS * headSize), null, hidden, true))));
            body.add(new Op.Norm(hidden, vector(backend, l + "ffn.norm"), EPSILON, normed));
            body.add(new Op.MatMul(
                    normed,
                    List.of(
                            new Op.Projection(matrix(backend, l + "gate", FEED_FORWARD, WIDTH), null, gate, false),
                            new Op.Projection(matrix(backend, l + "up", FEED_FORWARD, WIDTH), null, up, false))));
            body.add(new Op.Gate(activation(layer), gate, up, gate));
            body.add(new Op.MatMul(
                    gate,
                    List.of(new Op.Projection(matrix(backend, l + "down", WIDTH, FEED_FORWARD), null, down, false))));
            body.add(new Op.Add(down, hidden));
            body.add(new Op.Tap("layer." + layer, hidden));
        }
        List<Op> head = List.of(
                new Op.Norm(hidden, vector(backend, "norm"), EPSILON, hidden),
                new Op.Tap("normed", hidden),
                new Op.MatMul(hidden, List.of(new Op.Projection(embed, null, logits, false))),
                new Op.SoftCap(logits, LOGIT_CAP));
        List<Program.Layer> layers = new ArrayList<>();
        for (int layer = 0; layer < LAYERS; layer++) {
            layers.add(new Program.Layer(KV_HEADS, headSize, window(layer)));
        }
        return new Program(values, layers, body, hidden, head, logits);
    }

    private static Value value(List<Value> values, int width, String name) {
        Value value = new Value(values.size(), width, name);
        values.add(value);
        return value;
    }

    private Weight matrix(CpuBackend backend, String name, int rows, int columns) {
        MemorySegment data = MemorySegment.ofArray(weights.get(name));
        return backend.matrix(new Tensor(name, TensorType.F32, rows, columns, data), new RowOrder.Plain());
    }

    private Weight vector(CpuBackend backend, String name) {
        return backend.vector(name, weights.get(name));
    }

    private void vectors(String name, int count, float spread, float centre) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = centre + spread * (float) random.nextGaussian();
        }
        weights.put(name, values);
    }

    private static Rope rope(double base, int columns, float magnitude) {
        float[] frequencies = new float[columns / 2];
        for (int i = 0; i < frequencies.length; i++) {
            frequencies[i] = (float) StrictMath.pow(base, -2.0 * i / columns);
        }
        return new Rope(frequencies, magnitude);
    }
}
