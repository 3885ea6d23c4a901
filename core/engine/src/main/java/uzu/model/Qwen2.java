package uzu.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import uzu.backend.Activation;
import uzu.backend.Rope;

/** Qwen 2 and 2.5: biases on queries, keys and values. */
final class Qwen2 implements Family {
    @Override
    public Set<String> names() {
        return Set.of("qwen2");
    }

    @Override
    public Decoder read(Settings settings, Weights weights, Source source) {
        Shape shape = Shape.read(settings, weights);
        Rope rope = Qwen3.readCommon(settings, shape);
        settings.finish();

        int queries = shape.heads() * shape.headSize();
        int keys = shape.kvHeads() * shape.headSize();
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < shape.layers(); i++) {
            String layer = "model.layers." + i + ".";
            Attention attention = new Attention(
                    weights.biased(layer + "self_attn.q_proj", queries, shape.hidden()),
                    weights.biased(layer + "self_attn.k_proj", keys, shape.hidden()),
                    weights.biased(layer + "self_attn.v_proj", keys, shape.hidden()),
                    weights.linear(layer + "self_attn.o_proj", shape.hidden(), queries),
                    null,
                    null,
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
}
