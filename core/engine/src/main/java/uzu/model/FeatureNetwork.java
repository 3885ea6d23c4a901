package uzu.model;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import uzu.UzuException;
import uzu.backend.Activation;
import uzu.backend.Backend;
import uzu.backend.Executable;
import uzu.backend.Features;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.Value;
import uzu.backend.Weight;
import uzu.format.Gguf;

/**
 * A drafter network of one layer on a target's features, its weights beside the target's on one backend. Its index t has
 *
 * <pre>
 * x = token · rms(embedding of token t + 1) + c        c = condition · f + bias       f: standardised features of t
 *                                                      c = carry · rms(x' of t − 1)   where the target hasn't run on t
 * x' = one pre-norm llama layer of x, at position t    logits = output · (rms(x') ⊙ norm)   predict token t + 2
 * </pre>
 *
 * (after EAGLE-3, Li et al. 2025). Programs for indices with and without features work on the same sequences; both leave
 * {@code carry · rms(x')} for the next index at the tap {@link #CARRY}.
 */
public final class FeatureNetwork implements AutoCloseable {
    /** {@code general.architecture} of its files. */
    public static final String ARCHITECTURE = "uzu-feature";

    /** What an index leaves for the one after it, if that has no features: {@link #width} numbers. */
    public static final String CARRY = "carry";

    private final FeatureNetworkShape shape;
    private final Features features;
    private final float[] mean;
    private final float[] deviation;
    private final Executable verified;
    private final Executable keys;
    private final Executable drafted;

    private FeatureNetwork(FeatureNetworkShape shape, LanguageModel target, Weights weights, Backend backend) {
        this.shape = shape;
        mean = weights.floats("features.mean", shape.features());
        deviation = weights.floats("features.deviation", shape.features());
        Layers layers = new Layers(shape, target.embedding(), weights, backend);
        weights.finish();
        verified = backend.prepare(layers.program(true, true));
        keys = backend.prepare(layers.program(true, false), verified);
        drafted = backend.prepare(layers.program(false, true), verified);
        features = target.features(shape.targetLayers());
    }

    /**
     * @param network its weights' data isn't needed afterwards
     * @param vocabulary the fingerprint of the target's vocabulary
     * @param backend the target's
     * @throws UzuException.ModelCorrupt naming the key or tensor at fault, or when it was made for another target
     */
    public static FeatureNetwork load(Gguf network, LanguageModel target, long vocabulary, Backend backend) {
        checkArchitecture(network);
        FeatureNetworkShape shape = FeatureNetworkShape.read(network.metadata());
        String fingerprint = fingerprint(vocabulary, target);
        FeatureNetworkShape.check(
                shape.fingerprint().equals(fingerprint),
                "fingerprint",
                shape.fingerprint() + ", but the model's is " + fingerprint);
        FeatureNetworkShape.check(
                shape.targetWidth() == target.hiddenSize(),
                "target_width",
                shape.targetWidth() + ", but the model's is " + target.hiddenSize());
        for (int layer : shape.targetLayers()) {
            FeatureNetworkShape.check(
                    layer >= 0 && layer < target.layers(),
                    "target_layers",
                    Arrays.toString(shape.targetLayers()) + " of " + target.layers());
        }
        for (int token : shape.tokens()) {
            FeatureNetworkShape.check(token >= 0 && token < target.vocabularySize(), "tokens", "with " + token);
        }
        return new FeatureNetwork(shape, target, new Weights(network, backend, UnaryOperator.identity()), backend);
    }

    private static void checkArchitecture(Gguf network) {
        String architecture = network.metadata().string("general.architecture");
        if (!architecture.equals(ARCHITECTURE)) {
            throw new UzuException.ModelUnsupported(
                    "the network's architecture is " + architecture + ", not " + ARCHITECTURE,
                    Map.of("architecture", architecture));
        }
    }

    /** The {@link #fingerprint} of the target that a network was made for. */
    public static String madeFor(Gguf network) {
        checkArchitecture(network);
        return network.metadata().string(FeatureNetworkShape.PREFIX + ".fingerprint");
    }

    /** Names the kind of target that a network fits: vocabulary, width and layers. */
    public static String fingerprint(long vocabulary, LanguageModel target) {
        return Long.toHexString(vocabulary) + "-" + target.hiddenSize() + "-" + target.layers();
    }

    /** Numbers of an index with features. */
    public int featureWidth() {
        return shape.features();
    }

    /** Numbers of an index without. */
    public int width() {
        return shape.width();
    }

    /** Columns of the logits. */
    public int vocabulary() {
        return shape.tokens().length;
    }

    /** Which token column {@code index} of the logits stands for. */
    public int token(int index) {
        return shape.tokens()[index];
    }

    /** Of the target's distribution that softmax(logits) estimates. */
    public float temperature() {
        return shape.temperature();
    }

    /** For indices with features; its sequences are those of all three. */
    public Executable verified() {
        return verified;
    }

    /** For indices with features of which nothing but keys and values is wanted; no logits. */
    public Executable keys() {
        return keys;
    }

    /** For indices that are carried on. */
    public Executable drafted() {
        return drafted;
    }

    /** Copies the features of a row of the target's last pass, standardised, to {@code into} from {@code offset} on. */
    public void read(int row, float[] into, int offset) {
        features.copy(row, into, offset);
        float clip = shape.clip();
        for (int i = 0; i < mean.length; i++) {
            float standard = (into[offset + i] - mean[i]) / deviation[i];
            into[offset + i] = Math.clamp(standard, -clip, clip);
        }
    }

    @Override
    public void close() {
        features.close();
        drafted.close();
        keys.close();
        verified.close();
    }

    /** The network's weights, and the programs made of them. */
    private static final class Layers {
        private final FeatureNetworkShape shape;
        private final Weight embedding;
        private final Norm plain;
        private final Norm plainToken;
        private final Linear token;
        private final Linear condition;
        private final Linear carry;
        private final Block block;
        private final Norm outputNorm;
        private final Linear output;

        Layers(FeatureNetworkShape shape, Weight embedding, Weights weights, Backend backend) {
            this.shape = shape;
            this.embedding = embedding;
            int width = shape.width();
            int queries = Math.multiplyExact(shape.heads(), shape.headSize());
            int kept = Math.multiplyExact(shape.kvHeads(), shape.headSize());
            plain = ones(backend, width);
            plainToken = ones(backend, shape.targetWidth());
            token = weights.linear("token", width, shape.targetWidth());
            condition = weights.biased("condition", width, shape.features());
            carry = weights.linear("carry", width, width);
            Attention attention = new Attention(
                    weights.linear("attn_q", queries, width),
                    weights.linear("attn_k", kept, width),
                    weights.linear("attn_v", kept, width),
                    weights.linear("attn_output", width, queries),
                    null,
                    null,
                    shape.heads(),
                    shape.kvHeads(),
                    shape.headSize(),
                    (float) (1 / Math.sqrt(shape.headSize())),
                    0,
                    new RopeSettings(shape.ropeBase(), new RopeSettings.Scaling.None()).table(shape.headSize(), null));
            block = new Block(
                    weights.norm("attn_norm", width, shape.epsilon(), 0),
                    attention,
                    null,
                    weights.norm("ffn_norm", width, shape.epsilon(), 0),
                    new GatedMlp(
                            weights.linear("ffn_gate", shape.feedForward(), width),
                            weights.linear("ffn_up", shape.feedForward(), width),
                            weights.linear("ffn_down", width, shape.feedForward()),
                            Activation.SILU),
                    null);
            outputNorm = weights.norm("output_norm", width, shape.epsilon(), 0);
            output = weights.linear("output", shape.tokens().length, width);
        }

        private Norm ones(Backend backend, int width) {
            float[] ones = new float[width];
            Arrays.fill(ones, 1);
            return new Norm(backend.vector("ones", ones), shape.epsilon());
        }

        Program program(boolean hasFeatures, boolean whole) {
            Recorder recorder = new Recorder();
            Value hidden = recorder.value("hidden", shape.width());
            Value known = recorder.value("token", shape.targetWidth());
            recorder.add(new Op.Embed(embedding, 1, known));
            recorder.add(plainToken.of(known, known));
            if (hasFeatures) {
                Value given = recorder.value("features", shape.features());
                recorder.add(new Op.Input(given));
                recorder.add(new Op.MatMul(given, List.of(condition.into(hidden))));
            } else {
                recorder.add(new Op.Input(hidden));
            }
            recorder.add(new Op.MatMul(known, List.of(token.addedTo(hidden))));
            Value logits = recorder.value("logits", output.weight().rows());
            Attention attention = block.attention();
            List<Program.Layer> layers = List.of(new Program.Layer(attention.kvHeads(), attention.headSize(), 0));
            if (!whole) {
                Value normed = recorder.value("normed", shape.width());
                recorder.add(block.beforeAttention().of(hidden, normed));
                attention.recordKeys(recorder, 0, normed);
                return new Program(recorder.values(), layers, recorder.takeOps(), hidden, List.of(), logits);
            }
            block.record(recorder, 0, hidden);
            List<Op> body = recorder.takeOps();
            Value normed = recorder.value("normed", shape.width());
            Value next = recorder.value("carried", shape.width());
            recorder.add(plain.of(hidden, normed));
            recorder.add(new Op.MatMul(normed, List.of(carry.into(next))));
            recorder.tap(CARRY, next);
            recorder.add(outputNorm.of(hidden, normed));
            recorder.add(new Op.MatMul(normed, List.of(output.into(logits))));
            return new Program(recorder.values(), layers, body, hidden, recorder.takeOps(), logits);
        }
    }
}
