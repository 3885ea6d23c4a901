"""Writes a trained block drafter in the exported speculator format: config.json and model.safetensors."""

import json
import os

import numpy as np
import torch

ROOT = "speculator.draft_model."
SPEC = json.dumps({"type": "FullPrecisionSpec", "layout": "output_input"})
NORM = {
    "epsilon": 1e-06,
    "scale_offset": None,
    "upcast_mode": "only_normalization",
    "subtract_mean": False,
    "has_scale": True,
    "has_biases": False,
}


def layer(shape, rope):
    mixer = {
        "type": "AttentionConfig",
        "qkvg_projection_config": {},
        "out_projection_config": {},
        "query_norm_config": NORM,
        "key_norm_config": NORM,
        "num_heads": shape.heads,
        "num_groups": shape.kv_heads,
        "head_dim": shape.head_size,
        "is_causal": False,
        "scale": shape.head_size**-0.5,
        "sliding_window_size": None,
        "logit_soft_cap": None,
        "has_sinks": False,
        "has_qkvg_biases": False,
        "has_out_biases": False,
        "has_gate": False,
        "normalize_values": False,
        "is_kv_sharing": False,
    }
    mlp = {
        "type": "DenseMLPConfig",
        "linear_config": {},
        "activation": {"type": "SiLU", "alpha": 1.0},
        "has_up_biases": False,
        "has_down_biases": False,
        "gate_clipping": None,
        "up_clipping": None,
    }
    return {
        "pre_mixer_norm_config": NORM,
        "mixer_conv_config": None,
        "mixer_config": mixer,
        "post_mixer_norm_config": None,
        "pre_mlp_norm_config": NORM,
        "mlp_conv_config": None,
        "mlp_config": mlp,
        "post_mlp_norm_config": None,
        "hidden_dim": None,
        "ple_config": None,
        "has_post_layer_scalar": False,
        "kv_source_layer_index": None,
        "rope_config": rope,
    }


def config(shape, vocabulary, mask, target_depth):
    rope = {
        "type": "UnscaledRoPEConfig",
        "base": shape.rope_base,
        "max_sequence_length": 32768,
        "head_dim": shape.head_size,
    }
    draft = {
        "model_dim": shape.hidden,
        "hidden_dim": shape.feed_forward,
        "block_size": shape.block,
        "mask_token_id": mask,
        "target_layer_ids": list(shape.layers),
        "num_target_layers": target_depth,
        "vocab_size": vocabulary,
        "context_projection_config": {},
        "context_norm_config": NORM,
        "rope_config": rope,
        "layer_configs": [layer(shape, rope)] * shape.depth,
        "output_norm_config": NORM,
    }
    speculator = {"type": "DFlashSpeculatorConfig", "draft_config": draft, "weaver_config": None}
    return {"type": "SpeculatorModelConfig", "speculator_config": speculator}


def tensors(p, shape):
    """Matrices and vectors by their exported names; keys and values once more for all layers together."""
    matrices = {"context_projection": p["context_projection"]}
    vectors = {"context_norm.scales": p["context_norm"], "output_norm.scales": p["output_norm"]}
    states = []
    for i in range(shape.depth):
        at = f"layers.{i}."
        state = [p[at + "key"], p[at + "value"]]
        states += state
        matrices[at + "mixer.qkvg_projection"] = torch.cat([p[at + "query"], *state])
        matrices[at + "mixer.out_projection"] = p[at + "out"]
        matrices[at + "mlp.up_projection"] = torch.cat([p[at + "up"], p[at + "gate"]])
        matrices[at + "mlp.down_projection"] = p[at + "down"]
        vectors[at + "mixer.query_norm.scales"] = p[at + "query_norm"]
        vectors[at + "mixer.key_norm.scales"] = p[at + "key_norm"]
        vectors[at + "pre_mixer_norm.scales"] = p[at + "pre_mixer_norm"]
        vectors[at + "pre_mlp_norm.scales"] = p[at + "pre_mlp_norm"]
    matrices["state_kv_projection"] = torch.cat(states)
    return matrices, vectors


def write(folder, p, shape, vocabulary, mask, target_depth):
    """Each file is there whole or not at all; the weights first."""
    folder.mkdir(parents=True, exist_ok=True)
    matrices, vectors = tensors(p, shape)
    header, data, at = {"__metadata__": {ROOT + k + ".weights.spec": SPEC for k in matrices}}, [], 0
    for name, value, kind in [(k, v, "F32") for k, v in vectors.items()] + [
        (k + ".weights.weights", v, "BF16") for k, v in matrices.items()
    ]:
        value = value.detach()
        raw = value.float().numpy() if kind == "F32" else value.bfloat16().view(torch.int16).numpy()
        raw = np.ascontiguousarray(raw).tobytes()
        header[ROOT + name] = {"dtype": kind, "shape": list(value.shape), "data_offsets": [at, at + len(raw)]}
        data.append(raw)
        at += len(raw)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    whole(folder / "model.safetensors", [len(text).to_bytes(8, "little"), text, *data])
    whole(folder / "config.json", [json.dumps(config(shape, vocabulary, mask, target_depth), indent=4).encode()])


def whole(path, pieces):
    part = str(path) + ".part"
    with open(part, "wb") as out:
        for piece in pieces:
            out.write(piece)
    os.replace(part, path)
