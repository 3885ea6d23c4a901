"""Writes a tiny feature network for the checkpoint llama of the test resources, and what it computes, in numpy.

    python make_network_fixture.py [RESOURCES]

Reads checkpoints/llama with its recorded activations; writes network/network.gguf with random weights and
network/expected.json: for some prefixes of the recorded tokens, and some drafted paths below, the likeliest tokens with
their probabilities. The arithmetic is that of the training in tools/train, in float64. Needs numpy and gguf.
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np
from gguf import GGUFWriter

LAYERS = [0, 1]
TARGET_WIDTH, WIDTH, HEADS, KV_HEADS, HEAD_SIZE, FEED_FORWARD, VOCABULARY = 64, 48, 4, 2, 16, 80, 40
BASE, EPSILON, CLIP = 5000.0, 1e-5, 2.0
FINGERPRINT = "feedfeedfeedfeed-64-2"
ROOTS = [1, 7, 60]
PATHS = [[], [0], [0, 0], [1], [1, 2], [1, 2, 0]]  # ranks of the children taken, from the root on


def safetensors(path):
    data = path.read_bytes()
    size, = struct.unpack_from("<Q", data)
    for name, entry in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            start, end = (8 + size + offset for offset in entry["data_offsets"])
            kind = {"F32": "<f4", "I64": "<i8"}[entry["dtype"]]
            yield name, np.frombuffer(data[start:end], kind).reshape(entry["shape"])


def rms(x):
    return x / np.sqrt((x * x).mean() + EPSILON)


def rotated(x, position):
    half = HEAD_SIZE // 2
    angles = position * BASE ** (-2.0 * np.arange(half) / HEAD_SIZE)
    a, b = x[:, :half], x[:, half:]
    return np.concatenate([a * np.cos(angles) - b * np.sin(angles), b * np.cos(angles) + a * np.sin(angles)], 1)


class Network:
    def __init__(self, embedding, rng):
        matrix = lambda rows, columns: (rng.normal(size=(rows, columns)) / columns ** 0.5).astype(np.float32)
        vector = lambda size, centre: (centre + 0.2 * rng.normal(size=size)).astype(np.float32)
        features = len(LAYERS) * TARGET_WIDTH
        self.embedding = embedding
        self.p = {
            "features.mean": vector(features, 0), "features.deviation": np.abs(vector(features, 1)),
            "condition.weight": matrix(WIDTH, features), "condition.bias": vector(WIDTH, 0),
            "carry.weight": matrix(WIDTH, WIDTH), "token.weight": matrix(WIDTH, TARGET_WIDTH),
            "attn_norm.weight": vector(WIDTH, 1), "attn_q.weight": matrix(HEADS * HEAD_SIZE, WIDTH),
            "attn_k.weight": matrix(KV_HEADS * HEAD_SIZE, WIDTH), "attn_v.weight": matrix(KV_HEADS * HEAD_SIZE, WIDTH),
            "attn_output.weight": matrix(WIDTH, HEADS * HEAD_SIZE), "ffn_norm.weight": vector(WIDTH, 1),
            "ffn_gate.weight": matrix(FEED_FORWARD, WIDTH), "ffn_up.weight": matrix(FEED_FORWARD, WIDTH),
            "ffn_down.weight": matrix(WIDTH, FEED_FORWARD), "output_norm.weight": vector(WIDTH, 1),
            "output.weight": 3 * matrix(VOCABULARY, WIDTH),
        }
        self.tokens = rng.permutation(256)[:VOCABULARY]

    def known(self, features):
        p = self.p
        standard = (features - p["features.mean"]) / p["features.deviation"]
        return p["condition.weight"] @ np.clip(standard, -CLIP, CLIP) + p["condition.bias"]

    def index(self, position, token, condition, keys, values):
        """One index: its own keys and values are appended. Returns x'."""
        p = self.p
        x = p["token.weight"] @ rms(self.embedding[token].astype(np.float64)) + condition
        h = rms(x) * p["attn_norm.weight"]
        q = rotated((p["attn_q.weight"] @ h).reshape(HEADS, HEAD_SIZE), position)
        keys.append(rotated((p["attn_k.weight"] @ h).reshape(KV_HEADS, HEAD_SIZE), position))
        values.append((p["attn_v.weight"] @ h).reshape(KV_HEADS, HEAD_SIZE))
        attended = []
        for head in range(HEADS):
            group = head * KV_HEADS // HEADS
            scores = np.array([q[head] @ k[group] for k in keys]) / HEAD_SIZE ** 0.5
            weights = np.exp(scores - scores.max())
            attended.append(sum(w * v[group] for w, v in zip(weights / weights.sum(), values)))
        x = x + p["attn_output.weight"] @ np.concatenate(attended)
        h = rms(x) * p["ffn_norm.weight"]
        gate = p["ffn_gate.weight"] @ h
        return x + p["ffn_down.weight"] @ (gate / (1 + np.exp(-gate)) * (p["ffn_up.weight"] @ h))

    def best(self, x):
        logits = self.p["output.weight"] @ (rms(x) * self.p["output_norm.weight"])
        chances = np.exp(logits - logits.max())
        order = np.argsort(-chances)[:8]
        return self.tokens[order].tolist(), (chances[order] / chances.sum()).tolist()


def case(network, ids, features, root, path):
    keys, values = [], []
    for t in range(root):
        x = network.index(t, ids[t + 1], network.known(features[t]), keys, values)
    drafted = []
    tokens, chances = network.best(x)
    for depth, rank in enumerate(path):
        drafted.append(tokens[rank])
        x = network.index(root + depth, tokens[rank], network.p["carry.weight"] @ rms(x), keys, values)
        tokens, chances = network.best(x)
    return {"root": root, "path": drafted, "tokens": tokens, "probabilities": chances}


def main():
    resources = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "resources")
    folder = resources / "checkpoints" / "llama"
    tensors = dict(pair for path in sorted(folder.glob("model-*.safetensors")) for pair in safetensors(path))
    trace = dict(safetensors(folder / "trace.safetensors"))
    features = np.concatenate([trace[f"prefill.layer.{layer}"].reshape(-1, TARGET_WIDTH) for layer in LAYERS], 1)
    ids = trace["ids"].reshape(-1)
    network = Network(tensors["model.embed_tokens.weight"], np.random.default_rng(11))

    out = resources / "network"
    out.mkdir(exist_ok=True)
    writer = GGUFWriter(str(out / "network.gguf"), "uzu-feature")
    writer.add_array("feature.target_layers", LAYERS)
    for key, value in {
        "target_width": TARGET_WIDTH, "width": WIDTH, "heads": HEADS, "kv_heads": KV_HEADS, "head_size": HEAD_SIZE,
        "feed_forward": FEED_FORWARD, "vocabulary": VOCABULARY,
    }.items():
        writer.add_uint32("feature." + key, value)
    writer.add_array("feature.tokens", network.tokens.tolist())
    for key, value in {"rope_base": BASE, "epsilon": EPSILON, "clip": CLIP}.items():
        writer.add_float32("feature." + key, value)
    writer.add_string("feature.fingerprint", FINGERPRINT)
    for name, array in network.p.items():
        writer.add_tensor(name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    cases = [case(network, ids, features, root, path) for root in ROOTS for path in PATHS]
    lines = ",\n".join(json.dumps(case) for case in cases)
    (out / "expected.json").write_text(f"[\n{lines}\n]\n")


main()
