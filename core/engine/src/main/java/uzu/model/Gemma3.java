package uzu.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import uzu.backend.Activation;
import uzu.backend.Rope;

/**
 * Gemma 3, text: zero-centred norms before and after each part, sliding layers with a rotation of their own, embedding
 * rows times √hidden.
 */
final class Gemma3 implements Family {
    /** The 27B model scales scores by its width per head instead of the head size; GGUF files don't say so. */
    private static final int LAYERS_27B = 62;

    @Override
    public Set<String> names() {
        return Set.of("gemma3", "gemma3_text");
    }

    @Override
    public Map<String, String> ggufNames() {
        return Map.of(
                "post_attention_layernorm", "post_attention_norm",
                "pre_feedforward_layernorm", "ffn_norm",
                "post_feedforward_layernorm", "post_ffw_norm");
    }

    @Override
    public Decoder read(Settings settings, Weights weights, Source source) {
        Shape shape = Shape.read(settings, weights);
        String activation = settings.stringOr("hidden_activation", null, "gelu_pytorch_tanh");
        if (!"gelu_pytorch_tanh".equals(activation)) {
            throw settings.unsupported("hidden_activation", null, String.valueOf(activation), "gelu_pytorch_tanh");
        }
        int window = settings.count("sliding_window", "attention.sliding_window", 1 << 30);
        boolean[] full = fullLayers(settings, shape.layers());
        Rope global = settings.rope(false).table(shape.headSize(), null);
        Rope local = settings.rope(true).table(shape.headSize(), null);
        float scale = scale(settings, shape);
        for (String cap : List.of("attn_logit_softcapping", "final_logit_softcapping")) {
            if (settings.numberOr(cap, cap, 0) != 0) {
                throw settings.unsupported(cap, null, "set", "null");
            }
        }
        settings.boolOr("attention_bias", null, false); // what there is of biases is used
        settings.ignore(Set.of("use_bidirectional_attention", "hidden_act"));
        settings.finish();

        float plus = settings.normsIncludeOne() ? 0 : 1;
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < shape.layers(); i++) {
            String layer = "model.layers." + i + ".";
            Attention attention =
                    attention(weights, shape, layer, plus, scale, full[i] ? 0 : window, full[i] ? global : local);
            blocks.add(new Block(
                    weights.norm(layer + "input_layernorm", shape.hidden(), shape.epsilon(), plus),
                    attention,
                    weights.norm(layer + "post_attention_layernorm", shape.hidden(), shape.epsilon(), plus),
                    weights.norm(layer + "pre_feedforward_layernorm", shape.hidden(), shape.epsilon(), plus),
                    Parts.mlp(weights, shape, layer, Activation.GELU_TANH),
                    weights.norm(layer + "post_feedforward_layernorm", shape.hidden(), shape.epsilon(), plus)));
        }
        return new Decoder(
                shape.contextLength(),
                Parts.embedding(weights, shape),
                (float) Math.sqrt(shape.hidden()),
                blocks,
                weights.norm("model.norm", shape.hidden(), shape.epsilon(), plus),
                Parts.head(weights, shape),
                0f);
    }

    private static Attention attention(
            Weights weights, Shape shape, String layer, float plus, float scale, int window, Rope rope) {
        int queries = shape.heads() * shape.headSize();
        int keys = shape.kvHeads() * shape.headSize();
        return new Attention(
                weights.linear(layer + "self_attn.q_proj", queries, shape.hidden()),
                weights.linear(layer + "self_attn.k_proj", keys, shape.hidden()),
                weights.linear(layer + "self_attn.v_proj", keys, shape.hidden()),
                weights.linear(layer + "self_attn.o_proj", shape.hidden(), queries),
                weights.norm(layer + "self_attn.q_norm", shape.headSize(), shape.epsilon(), plus),
                weights.norm(layer + "self_attn.k_norm", shape.headSize(), shape.epsilon(), plus),
                shape.heads(),
                shape.kvHeads(),
                shape.headSize(),
                scale,
                window,
                rope);
    }

    /** layer_types, or every {@code sliding_window_pattern}th layer full (6). */
    private static boolean[] fullLayers(Settings settings, int layers) {
        int pattern = settings.countOr("sliding_window_pattern", "attention.sliding_window_pattern", 1 << 12, 6);
        String[] kinds = settings.strings("layer_types");
        if (kinds != null && kinds.length != layers) {
            throw settings.unsupported("layer_types", null, kinds.length + " entries", layers + ", one a layer");
        }
        boolean[] full = new boolean[layers];
        for (int i = 0; i < layers; i++) {
            if (kinds == null) {
                full[i] = (i + 1) % pattern == 0;
            } else {
                full[i] = switch (kinds[i]) {
                    case "full_attention" -> true;
                    case "sliding_attention" -> false;
                    default ->
                        throw settings.unsupported("layer_types", null, kinds[i], "full_attention, sliding_attention");
                };
            }
        }
        return full;
    }

    private static float scale(Settings settings, Shape shape) {
        double perHead = shape.layers() == LAYERS_27B && settings.normsIncludeOne()
                ? (double) shape.hidden() / shape.heads()
                : shape.headSize();
        double scalar = settings.numberOr("query_pre_attn_scalar", null, perHead);
        return (float) settings.numberOr(null, "attention.scale", 1 / Math.sqrt(scalar));
    }
}
