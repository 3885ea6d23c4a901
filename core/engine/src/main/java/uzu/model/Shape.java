package uzu.model;

/**
 * The dimensions that all decoder-only families share.
 *
 * @param vocabulary rows of the embedding
 * @param heads query heads, a multiple of {@code kvHeads}
 * @param headSize even
 */
record Shape(
        int vocabulary,
        int hidden,
        int feedForward,
        int layers,
        int heads,
        int kvHeads,
        int headSize,
        float epsilon,
        int contextLength) {

    static Shape read(Settings settings, Weights weights) {
        int hidden = settings.count("hidden_size", "embedding_length", 1 << 20);
        int heads = settings.count("num_attention_heads", "attention.head_count", 1 << 14);
        int kvHeads = settings.countOr("num_key_value_heads", "attention.head_count_kv", 1 << 14, heads);
        int headSize = settings.countOr("head_dim", "attention.key_length", 1 << 12, Math.max(1, hidden / heads));
        int valueSize = settings.countOr(null, "attention.value_length", 1 << 12, headSize);
        if (heads % kvHeads != 0) {
            throw settings.unsupported(
                    "num_key_value_heads",
                    "attention.head_count_kv",
                    kvHeads + " with " + heads + " heads",
                    "a divisor");
        }
        if (headSize % 2 != 0) {
            throw settings.unsupported("head_dim", "attention.key_length", String.valueOf(headSize), "an even size");
        }
        if (valueSize != headSize) {
            throw settings.unsupported(
                    "head_dim", "attention.value_length", String.valueOf(valueSize), "the keys' " + headSize);
        }
        return new Shape(
                weights.rows("model.embed_tokens.weight"),
                hidden,
                settings.count("intermediate_size", "feed_forward_length", 1 << 24),
                settings.count("num_hidden_layers", "block_count", 1 << 12),
                heads,
                kvHeads,
                headSize,
                (float) settings.numberOr("rms_norm_eps", "attention.layer_norm_rms_epsilon", 1e-6),
                settings.count("max_position_embeddings", "context_length", 1 << 30));
    }
}
