"""Writes model.gguf beside each checkpoint of the test resources, with the PyPI packages numpy, gguf and safetensors.

    python make_checkpoint_twins.py [CHECKPOINTS]

Names, keys and changes of values are those of llama.cpp's converter; matrices keep their storage, vectors become F32 as
there. The reference checkpoints have settings that its gemma3 writer leaves out because published models never have
them (a period other than 6, a scale other than the head's): they are written under the keys GGUF has for them.
"""

import json
import math
import re
import struct
import sys
from pathlib import Path

import gguf
import numpy as np

LAYER = {
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down", "post_attention_layernorm": "ffn_norm",
}
GEMMA_LAYER = LAYER | {
    "post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm",
    "post_feedforward_layernorm": "post_ffw_norm",
}
TOP = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
ARCHITECTURES = {"llama": "llama", "qwen2": "qwen2", "qwen3": "qwen3", "gemma3_text": "gemma3"}


def read_safetensors(path):
    data = path.read_bytes()
    size, = struct.unpack_from("<Q", data)
    for name, entry in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            start, end = (8 + size + offset for offset in entry["data_offsets"])
            yield name, entry["dtype"], data[start:end], entry["shape"]


def widened(kind, raw, shape):
    if kind == "BF16":
        return (np.frombuffer(raw, "<u2").astype("<u4") << 16).view("<f4").reshape(shape)
    return np.frombuffer(raw, {"F16": "<f2", "F32": "<f4"}[kind]).astype("<f4").reshape(shape)


def renamed(name, architecture):
    stem, suffix = name.rsplit(".", 1)
    if stem in TOP:
        return f"{TOP[stem]}.{suffix}"
    number, part = re.fullmatch(r"model\.layers\.(\d+)\.(.+)", stem).groups()
    parts = GEMMA_LAYER if architecture == "gemma3" else LAYER
    return f"blk.{number}.{parts[part]}.{suffix}"


def adjacent_pairs(weight, heads):
    """Rows of each head from halves (i, i + n/2) to adjacent pairs."""
    shape = weight.shape
    halves = weight.reshape(heads, 2, shape[0] // heads // 2, *shape[1:])
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(shape)


def llama3_factors(config, rope):
    head = config.get("head_dim", config["hidden_size"] // config["num_attention_heads"])
    frequencies = 1.0 / (config["rope_theta"] ** (np.arange(0, head, 2, dtype=np.float32) / np.float32(head)))
    low, high = rope["low_freq_factor"], rope["high_freq_factor"]
    context = rope["original_max_position_embeddings"]
    factors = []
    for wavelength in 2 * math.pi / frequencies:
        if wavelength < context / high:
            factors.append(1.0)
        elif wavelength > context / low:
            factors.append(rope["factor"])
        else:
            smooth = (context / wavelength - low) / (high - low)
            factors.append(1 / ((1 - smooth) / rope["factor"] + smooth))
    return np.array(factors, np.float32)


def write_keys(writer, config, architecture):
    writer.add_type("model")
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config["rope_theta"])
    if "head_dim" in config:
        writer.add_key_length(config["head_dim"])
        writer.add_value_length(config["head_dim"])
    if architecture == "llama":
        writer.add_vocab_size(config["vocab_size"])
        writer.add_rope_dimension_count(config.get("head_dim", config["hidden_size"] // config["num_attention_heads"]))
    if architecture == "gemma3":
        writer.add_sliding_window(config["sliding_window"])
        writer.add_uint32("gemma3.attention.sliding_window_pattern", config["sliding_window_pattern"])
        writer.add_float32("gemma3.rope.freq_base_swa", config["rope_local_base_freq"])
        writer.add_float32("gemma3.attention.scale", config["query_pre_attn_scalar"] ** -0.5)
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(config["rope_scaling"]["factor"])


def write_vocabulary(writer, config):
    """The 256 bytes in GPT-2's spelling, without merges."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = iter(range(256, 512))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([chr(byte) if byte in plain else chr(next(others)) for byte in range(256)])
    writer.add_token_types([gguf.TokenType.NORMAL] * 256)
    writer.add_bos_token_id(config["bos_token_id"])
    writer.add_eos_token_id(config["eos_token_id"])
    writer.add_pad_token_id(config["pad_token_id"])
    writer.add_add_bos_token(False)


def write_twin(folder):
    config = json.loads((folder / "config.json").read_text())
    architecture = ARCHITECTURES[config["model_type"]]
    writer = gguf.GGUFWriter(folder / "model.gguf", architecture)
    writer.add_name(folder.name)
    write_keys(writer, config, architecture)
    write_vocabulary(writer, config)
    rope = config.get("rope_scaling") or {}
    if rope.get("rope_type") == "llama3":
        writer.add_tensor("rope_freqs.weight", llama3_factors(config, rope))
    for path in sorted(folder.glob("model*.safetensors")):
        for name, kind, raw, shape in read_safetensors(path):
            if len(shape) == 1:
                vector = widened(kind, raw, shape)
                if architecture == "gemma3":
                    vector = vector + np.float32(1)
                writer.add_tensor(renamed(name, architecture), vector)
                continue
            matrix = np.frombuffer(raw, {"BF16": "<u2", "F16": "<f2", "F32": "<f4"}[kind]).reshape(shape)
            if architecture == "llama" and re.search(r"[qk]_proj", name):
                heads = "num_attention_heads" if "q_proj" in name else "num_key_value_heads"
                matrix = adjacent_pairs(matrix, config[heads])
            if kind == "BF16":
                stored = gguf.GGMLQuantizationType.BF16
                writer.add_tensor(renamed(name, architecture), matrix.view(np.uint8), raw_dtype=stored)
            else:
                writer.add_tensor(renamed(name, architecture), matrix)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    default = Path(__file__).parent.parent / "resources" / "checkpoints"
    for config in sorted((Path(sys.argv[1]) if len(sys.argv) > 1 else default).glob("*/config.json")):
        write_twin(config.parent)
