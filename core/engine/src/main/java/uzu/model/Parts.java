package uzu.model;

import java.util.List;
import uzu.backend.Activation;
import uzu.backend.RowOrder;
import uzu.backend.Weight;

/** Pieces that families of the plain pre-norm kind (llama, qwen2, qwen3) have in common. */
final class Parts {
    private Parts() {}

    static Block preNormBlock(Weights weights, Shape shape, String layer, Attention attention, Activation activation) {
        return new Block(
                weights.norm(layer + "input_layernorm", shape.hidden(), shape.epsilon(), 0),
                attention,
                null,
                weights.norm(layer + "post_attention_layernorm", shape.hidden(), shape.epsilon(), 0),
                mlp(weights, shape, layer, activation),
                null);
    }

    static GatedMlp mlp(Weights weights, Shape shape, String layer, Activation activation) {
        return new GatedMlp(
                weights.linear(layer + "mlp.gate_proj", shape.feedForward(), shape.hidden()),
                weights.linear(layer + "mlp.up_proj", shape.feedForward(), shape.hidden()),
                weights.linear(layer + "mlp.down_proj", shape.hidden(), shape.feedForward()),
                activation);
    }

    static Decoder decoder(Weights weights, Shape shape, List<Block> blocks) {
        return new Decoder(
                shape.contextLength(),
                embedding(weights, shape),
                1f,
                blocks,
                weights.norm("model.norm", shape.hidden(), shape.epsilon(), 0),
                head(weights, shape),
                0f);
    }

    static Weight embedding(Weights weights, Shape shape) {
        return weights.matrix("model.embed_tokens.weight", shape.vocabulary(), shape.hidden(), new RowOrder.Plain());
    }

    /** A checkpoint without a head of its own is tied: it reads out with the embedding. */
    static Linear head(Weights weights, Shape shape) {
        return weights.has("lm_head.weight")
                ? weights.linear("lm_head", shape.vocabulary(), shape.hidden())
                : new Linear(embedding(weights, shape), null);
    }
}
