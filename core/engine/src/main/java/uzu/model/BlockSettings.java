package uzu.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.backend.Activation;
import uzu.backend.Rope;

/**
 * The configuration of an exported block drafter ({@code DFlashSpeculatorConfig}).
 *
 * @param hidden width of the target's and of the drafter's layers
 * @param targetLayers whose outputs make a row's features, counted from 0
 * @param targetDepth layers of the target it was made for
 * @param paths the network that scores paths ({@code weaver_config}), or null
 */
record BlockSettings(
        int hidden,
        int feedForward,
        int blockSize,
        int maskToken,
        int[] targetLayers,
        int targetDepth,
        int vocabulary,
        ExportedNorm contextNorm,
        List<Layer> layers,
        ExportedNorm outputNorm,
        @Nullable PathSettings paths) {

    static final int MOST_BLOCK = 64;

    /** A layer; norms that may be missing are null. */
    record Layer(
            ExportedNorm beforeAttention,
            Heads heads,
            @Nullable ExportedNorm afterAttention,
            ExportedNorm beforeMlp,
            Activation activation,
            boolean upBiases,
            boolean downBiases,
            @Nullable ExportedNorm afterMlp) {}

    record Heads(
            int heads,
            int kvHeads,
            int headSize,
            float scale,
            int window,
            boolean causal,
            boolean inBiases,
            boolean outBiases,
            @Nullable ExportedNorm queryNorm,
            @Nullable ExportedNorm keyNorm,
            Rope rope) {}

    static BlockSettings read(JsonNode config) {
        ExportedObject top = new ExportedObject(config, "");
        top.type("SpeculatorModelConfig");
        ExportedObject speculator = top.object("speculator_config");
        speculator.type("DFlashSpeculatorConfig");
        ExportedObject weaver = speculator.objectOrNull("weaver_config");
        BlockSettings settings =
                draft(speculator.object("draft_config"), weaver == null ? null : PathSettings.read(weaver));
        speculator.finish();
        top.finish();
        return settings;
    }

    private static BlockSettings draft(ExportedObject draft, @Nullable PathSettings paths) {
        int hidden = draft.count("model_dim", 1, 1 << 20);
        int feedForward = draft.count("hidden_dim", 1, 1 << 24);
        int vocabulary = draft.count("vocab_size", 1, 1 << 24);
        int depth = draft.count("num_target_layers", 1, 1 << 12);
        draft.empty("context_projection_config");
        Rope rope = rope(draft.object("rope_config"));
        List<Layer> layers = new ArrayList<>();
        for (ExportedObject layer : draft.objects("layer_configs")) {
            layers.add(layer(layer, feedForward, rope));
        }
        BlockSettings settings = new BlockSettings(
                hidden,
                feedForward,
                draft.count("block_size", 2, MOST_BLOCK),
                draft.count("mask_token_id", 0, vocabulary - 1),
                draft.counts("target_layer_ids", 0, depth - 1),
                depth,
                vocabulary,
                ExportedNorm.read(draft.object("context_norm_config")),
                layers,
                ExportedNorm.read(draft.object("output_norm_config")),
                paths);
        draft.finish();
        return settings;
    }

    private static Layer layer(ExportedObject layer, int feedForward, Rope rope) {
        layer.refuse(
                "mixer_conv_config", "mlp_conv_config", "ple_config", "has_post_layer_scalar", "kv_source_layer_index");
        if (layer.has("hidden_dim") && layer.count("hidden_dim", 1, 1 << 24) != feedForward) {
            throw layer.unsupported("hidden_dim", "of its own", "null");
        }
        ExportedObject own = layer.objectOrNull("rope_config");
        if (own != null && !rope(own).equals(rope)) {
            throw layer.unsupported("rope_config", "the layer's own", "the drafter's");
        }
        ExportedObject mlp = layer.object("mlp_config");
        mlp.type("DenseMLPConfig");
        mlp.empty("linear_config");
        mlp.refuse("gate_clipping", "up_clipping");
        Layer read = new Layer(
                ExportedNorm.read(layer.object("pre_mixer_norm_config")),
                heads(layer.object("mixer_config"), rope),
                norm(layer, "post_mixer_norm_config"),
                ExportedNorm.read(layer.object("pre_mlp_norm_config")),
                activation(mlp.object("activation")),
                mlp.flag("has_up_biases", false),
                mlp.flag("has_down_biases", false),
                norm(layer, "post_mlp_norm_config"));
        mlp.finish();
        layer.finish();
        return read;
    }

    private static Heads heads(ExportedObject mixer, Rope rope) {
        mixer.type("AttentionConfig");
        mixer.empty("qkvg_projection_config");
        mixer.empty("out_projection_config");
        mixer.refuse("logit_soft_cap", "has_sinks", "has_gate", "normalize_values", "is_kv_sharing");
        int heads = mixer.count("num_heads", 1, 1 << 14);
        int kvHeads = mixer.count("num_groups", 1, 1 << 14);
        int headSize = mixer.count("head_dim", 2, 1 << 12);
        if (heads % kvHeads != 0) {
            throw mixer.unsupported("num_groups", kvHeads + " with " + heads + " heads", "a divisor");
        }
        if (2 * rope.frequencies().length > headSize) {
            throw mixer.unsupported("head_dim", headSize + ", less than what is rotated", "no less");
        }
        ExportedNorm query = norm(mixer, "query_norm_config");
        ExportedNorm key = norm(mixer, "key_norm_config");
        if ((query == null) != (key == null)) {
            throw mixer.unsupported("key_norm_config", "there without a norm of the other", "both or none");
        }
        Heads read = new Heads(
                heads,
                kvHeads,
                headSize,
                (float) mixer.positiveOr("scale", 1 / Math.sqrt(headSize)),
                mixer.has("sliding_window_size") ? mixer.count("sliding_window_size", 1, 1 << 30) : 0,
                mixer.flag("is_causal", false),
                mixer.flag("has_qkvg_biases", false),
                mixer.flag("has_out_biases", false),
                query,
                key,
                rope);
        mixer.finish();
        return read;
    }

    private static @Nullable ExportedNorm norm(ExportedObject owner, String name) {
        ExportedObject norm = owner.objectOrNull(name);
        return norm == null ? null : ExportedNorm.read(norm);
    }

    private static Activation activation(ExportedObject activation) {
        String type = activation.text("type");
        if (type.equals("SiLU")) {
            if (activation.numberOr("alpha", 1) != 1) {
                throw activation.unsupported("alpha", "other than 1", "1");
            }
            activation.finish();
            return Activation.SILU;
        }
        if (type.equals("GELU") && activation.flag("approximate", false)) {
            activation.finish();
            return Activation.GELU_TANH;
        }
        throw activation.unsupported("type", type, "SiLU, GELU{approximate}");
    }

    static Rope rope(ExportedObject rope) {
        String type = rope.text("type");
        double base = rope.positive("base");
        rope.count("max_sequence_length", 1, 1 << 30); // tables are made as positions come
        int rotated = rope.count("head_dim", 2, 1 << 12);
        if (rotated % 2 != 0) {
            throw rope.unsupported("head_dim", String.valueOf(rotated), "an even size");
        }
        RopeSettings.Scaling scaling = switch (type) {
            case "UnscaledRoPEConfig" -> new RopeSettings.Scaling.None();
            case "LinearScalingRoPEConfig" -> new RopeSettings.Scaling.Linear(rope.positive("scaling_factor"));
            case "LlamaRoPEConfig" ->
                new RopeSettings.Scaling.Llama3(
                        rope.positive("scaling_factor"),
                        rope.positive("low_frequency_factor"),
                        rope.positive("high_frequency_factor"),
                        rope.count("original_context_length", 1, 1 << 30));
            case "YARNRoPEConfig" ->
                new RopeSettings.Scaling.Yarn(
                        rope.positive("scaling_factor"),
                        rope.positive("beta_fast"),
                        rope.positive("beta_slow"),
                        rope.count("original_context_length", 1, 1 << 30),
                        rope.flag("truncate", true));
            default ->
                throw rope.unsupported(
                        "type", type, "UnscaledRoPEConfig, LinearScalingRoPEConfig, LlamaRoPEConfig, YARNRoPEConfig");
        };
        rope.finish();
        return new RopeSettings(base, scaling).table(rotated, null);
    }
}
