package uzu.model;

import uzu.backend.Rope;

/**
 * The configuration of an exported network that scores paths ({@code WeaverConfig}).
 *
 * @param width of its layers
 * @param target width of the target's last layer, and of its readout
 * @param embedding width of the target's embedding
 * @param depth depths of a block that it scores
 */
record PathSettings(
        int width,
        int target,
        int embedding,
        int layers,
        int heads,
        int feedForward,
        int depth,
        ExportedNorm norm,
        Rope rope) {

    static PathSettings read(ExportedObject weaver) {
        int width = weaver.count("model_dim", 2, 1 << 16);
        int heads = weaver.count("num_heads", 1, 1 << 12);
        if (width % heads != 0 || width / heads % 2 != 0) {
            throw weaver.unsupported("num_heads", heads + " in " + width, "an even number of columns a head");
        }
        // Over how many candidates scores are made one distribution: here those that the engine looks at anyway.
        weaver.count("candidate_pool_size", 1, 1 << 20);
        weaver.empty("linear_config");
        ExportedObject norm = weaver.object("norm_config");
        if (!norm.flag("has_biases", false)) {
            throw norm.unsupported("has_biases", "false", "true");
        }
        Rope rope = BlockSettings.rope(weaver.object("rope_config"));
        if (2 * rope.frequencies().length > width / heads) {
            throw weaver.unsupported("rope_config", "wider than a head", "no wider");
        }
        PathSettings settings = new PathSettings(
                width,
                weaver.count("target_model_dim", 1, 1 << 20),
                weaver.count("target_embedding_dim", 1, 1 << 20),
                weaver.count("num_layers", 1, 1 << 8),
                heads,
                weaver.count("hidden_dim", 1, 1 << 24),
                weaver.count("max_depth", 1, BlockSettings.MOST_BLOCK - 1),
                ExportedNorm.readScales(norm),
                rope);
        weaver.finish();
        return settings;
    }
}
