package uzu.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import uzu.backend.Activation;
import uzu.backend.Rope;

/** Qwen 3, dense: a norm on each query and key head before the rotation, no biases. */
final class Qwen3 implements Family {
    @Override
    public Set<String> names() {
        return Set.of("qwen3");
    }

    @Override
    public Decoder read(Settings settings, Weights weights, Source source) {
        Shape shape = Shape.read(settings, weights);
        Rope rope = readCommon(settings, shape);
        settings.boolOr("attention_bias", null, false); // what there is of biases is used
        settings.finish();

        int queries = shape.heads() * shape.headSize();
        int keys = shape.kvHeads() * shape.headSize();
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < shape.layers(); i++) {
            String layer = "model.layers." + i + ".";
            Attention attention = new Attention(
                    weights.linear(layer + "self_attn.q_proj", queries, shape.hidden()),
                    weights.linear(layer + "self_attn.k_proj", keys, shape.hidden()),
                    weights.linear(layer + "self_attn.v_proj", keys, shape.hidden()),
                    weights.linear(layer + "self_attn.o_proj", shape.hidden(), queries),
                    weights.norm(layer + "self_attn.q_norm", shape.headSize(), shape.epsilon(), 0),
                    weights.norm(layer + "self_attn.k_norm", shape.headSize(), shape.epsilon(), 0),
                    shape.heads(),
                    shape.kvHeads(),
                    shape.headSize(),
                    (float) (1 / Math.sqrt(shape.headSize())),
                    0,
                    rope);
            blocks.add(Parts.preNormBlock(weights, shape, layer, attention, Activation.SILU));
        }
        return Parts.decoder(weights, shape, blocks);
    }

    /** What Qwen 2 and 3 share: SiLU, no sliding window in use, one rotation over the whole head. */
    static Rope readCommon(Settings settings, Shape shape) {
        String activation = settings.stringOr("hidden_act", null, "silu");
        if (!"silu".equals(activation)) {
            throw settings.unsupported("hidden_act", null, String.valueOf(activation), "silu");
        }
        if (settings.boolOr("use_sliding_window", null, false)) {
            throw settings.unsupported("use_sliding_window", null, "true", "false");
        }
        settings.ignore(Set.of("sliding_window")); // its size means nothing while it isn't used
        String[] kinds = settings.strings("layer_types");
        if (kinds != null) {
            for (String kind : kinds) {
                if (!"full_attention".equals(kind)) {
                    throw settings.unsupported("layer_types", null, kind, "full_attention");
                }
            }
        }
        return settings.rope(false).table(shape.headSize(), null);
    }
}
