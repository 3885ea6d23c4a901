package uzu.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.backend.Activation;
import uzu.backend.Rope;
import uzu.backend.RowOrder;

/** Llama 1–3 and what shares their layout, such as SmolLM2. GGUF files store q and k for rotation of adjacent pairs. */
final class Llama implements Family {
    @Override
    public Set<String> names() {
        return Set.of("llama");
    }

    @Override
    public Decoder read(Settings settings, Weights weights, Source source) {
        Shape shape = Shape.read(settings, weights);
        String activation = settings.stringOr("hidden_act", null, "silu");
        if (!"silu".equals(activation)) {
            throw settings.unsupported("hidden_act", null, String.valueOf(activation), "silu");
        }
        int rotated = settings.countOr(null, "rope.dimension_count", shape.headSize(), shape.headSize());
        if (rotated != shape.headSize()) {
            throw settings.unsupported(
                    "head_dim", "rope.dimension_count", String.valueOf(rotated), "the head size " + shape.headSize());
        }
        RopeSettings rope = settings.rope(false);
        settings.boolOr("attention_bias", null, false); // what there is of biases is used
        settings.boolOr("mlp_bias", null, false);
        settings.ignore(Set.of("pretraining_tp")); // splits products without changing them
        if (settings.boolOr("rope_interleaved", null, false)) {
            throw settings.unsupported("rope_interleaved", null, "true", "false");
        }
        settings.finish();

        float @Nullable [] factors =
                weights.has("rope_freqs.weight") ? weights.floats("rope_freqs.weight", rotated / 2) : null;
        Rope table = rope.table(rotated, factors);
        RowOrder order = source == Source.GGUF ? new RowOrder.PairsToHalves(shape.headSize()) : new RowOrder.Plain();
        int queries = shape.heads() * shape.headSize();
        int keys = shape.kvHeads() * shape.headSize();
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < shape.layers(); i++) {
            String layer = "model.layers." + i + ".";
            Attention attention = new Attention(
                    weights.linear(layer + "self_attn.q_proj", queries, shape.hidden(), order),
                    weights.linear(layer + "self_attn.k_proj", keys, shape.hidden(), order),
                    weights.linear(layer + "self_attn.v_proj", keys, shape.hidden()),
                    weights.linear(layer + "self_attn.o_proj", shape.hidden(), queries),
                    null,
                    null,
                    shape.heads(),
                    shape.kvHeads(),
                    shape.headSize(),
                    (float) (1 / Math.sqrt(shape.headSize())),
                    0,
                    table);
            blocks.add(Parts.preNormBlock(weights, shape, layer, attention, Activation.SILU));
        }
        return Parts.decoder(weights, shape, blocks);
    }
}
