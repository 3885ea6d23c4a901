package uzu.model;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** From the tensor names of published checkpoints to those of other files. */
final class TensorNames {
    private static final Map<String, String> GGUF = Map.ofEntries(
            Map.entry("model.embed_tokens", "token_embd"),
            Map.entry("model.norm", "output_norm"),
            Map.entry("lm_head", "output"),
            Map.entry("input_layernorm", "attn_norm"),
            Map.entry("post_attention_layernorm", "ffn_norm"),
            Map.entry("self_attn.q_proj", "attn_q"),
            Map.entry("self_attn.k_proj", "attn_k"),
            Map.entry("self_attn.v_proj", "attn_v"),
            Map.entry("self_attn.o_proj", "attn_output"),
            Map.entry("self_attn.q_norm", "attn_q_norm"),
            Map.entry("self_attn.k_norm", "attn_k_norm"),
            Map.entry("mlp.gate_proj", "ffn_gate"),
            Map.entry("mlp.up_proj", "ffn_up"),
            Map.entry("mlp.down_proj", "ffn_down"),
            Map.entry("rope_freqs", "rope_freqs"));

    private TensorNames() {}

    /** {@code model.layers.3.self_attn.q_proj.weight} → {@code blk.3.attn_q.weight}; {@code own} goes before. */
    static UnaryOperator<String> gguf(Map<String, String> own) {
        return name -> {
            int end = name.lastIndexOf('.');
            String suffix = name.substring(end);
            String module = name.substring(0, end);
            String block = "";
            if (module.startsWith("model.layers.")) {
                int dot = module.indexOf('.', "model.layers.".length());
                block = "blk." + module.substring("model.layers.".length(), dot) + ".";
                module = module.substring(dot + 1);
            }
            String stored = own.getOrDefault(module, GGUF.get(module));
            return block + (stored == null ? module : stored) + suffix;
        };
    }

    /** Multimodal checkpoints put the language model under a prefix. */
    static UnaryOperator<String> published(Set<String> stored) {
        if (stored.contains("language_model.model.embed_tokens.weight")) {
            return name -> "language_model." + name;
        }
        if (stored.contains("model.language_model.embed_tokens.weight")) {
            return name -> name.replaceFirst("^model\\.", "model.language_model.");
        }
        return UnaryOperator.identity();
    }
}
