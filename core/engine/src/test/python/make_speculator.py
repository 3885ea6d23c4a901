"""Makes src/test/resources/speculators/<name>: a speculator folder that lalamo itself exported, and what lalamo computes.

    python make_speculator.py NAME TARGET     with lalamo (PyPI, 0.17), e.g. qwen3 ../resources/checkpoints/qwen3

The block drafter has random weights in the published layout (fc, hidden_norm, layers.N, norm); lalamo imports and saves
it as `lalamo speculator convert` does. The features it is run on are those that transformers recorded of the target.
Recorded in trace.safetensors, all float32 but the ids:
    context.N        how many tokens of the trace's ids the block follows
    hidden.N         [block, width] after the output norm
    logits.N         [block, vocabulary], the target's readout of it
    weaver.*.N       the path builder on that block: tokens, parents, depths of nodes, candidates of each, their scores
"""

import json
import sys
import tempfile
from pathlib import Path

import lalamo  # before jax, which it configures
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from lalamo.initializer import RandomInitializer
from lalamo.model_import.loaders.dflash_loader import load_hf_dflash_draft_model
from lalamo.model_import.model_configs.huggingface.weaver import HFWeaverConfig
from lalamo.models import SpeculatorModel, SpeculatorModelConfig
from lalamo.module import Keychain
from lalamo.modules import DFlashSpeculator, DFlashSpeculatorConfig
from lalamo.modules.transformer_layer import TransformerForwardPassConfig
from lalamo.utils.sharding import ShardingConfig

CONTEXTS = (3, 40, 62)


def read(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    types = {"F32": np.float32, "BF16": ml_dtypes.bfloat16, "I64": np.int64}
    return {
        name: np.frombuffer(data[8 + size + at["data_offsets"][0] : 8 + size + at["data_offsets"][1]], types[at["dtype"]])
        .reshape(at["shape"])
        for name, at in header.items()
    }


def write(path, tensors):
    names = {np.dtype(np.float32): "F32", np.dtype(np.int64): "I64", np.dtype(ml_dtypes.bfloat16): "BF16"}
    header, offset = {}, 0
    for name, value in tensors.items():
        header[name] = {
            "dtype": names[value.dtype],
            "shape": list(value.shape),
            "data_offsets": [offset, offset + value.nbytes],
        }
        offset += value.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(v.tobytes() for v in tensors.values()))


def published(target, random):
    """A DFlash checkpoint as it is published: a full layer and a sliding one, biases, YaRN."""
    width, heads, kv_heads, head, feed_forward, block = target["hidden_size"], 2, 1, 32, 48, 6
    config = {
        "architectures": ["DFlashDraftModel"],
        "model_type": "qwen3",
        "hidden_act": "silu",
        "hidden_size": width,
        "intermediate_size": feed_forward,
        "num_hidden_layers": 2,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "rms_norm_eps": 1e-6,
        "rope_theta": 10000.0,
        "rope_scaling": {
            "rope_type": "yarn",
            "factor": 4.0,
            "beta_fast": 32.0,
            "beta_slow": 1.0,
            "original_max_position_embeddings": 32,
        },
        "max_position_embeddings": 128,
        "tie_word_embeddings": False,
        "attention_bias": True,
        "block_size": block,
        "num_target_layers": target["num_hidden_layers"],
        "vocab_size": target["vocab_size"],
        "dflash_config": {"mask_token_id": 250, "target_layer_ids": [0, target["num_hidden_layers"] - 1]},
        "head_dim": head,
        "layer_types": ["full_attention", "sliding_attention"],
        "sliding_window": 20,
        "use_sliding_window": True,
    }
    weights = {}

    def matrix(name, rows, columns):
        weights[name] = (random.standard_normal((rows, columns)) / columns**0.5).astype(ml_dtypes.bfloat16)

    def vector(name, size, centre):
        weights[name] = (centre + 0.3 * random.standard_normal(size)).astype(ml_dtypes.bfloat16)

    matrix("fc.weight", width, width * len(config["dflash_config"]["target_layer_ids"]))
    vector("hidden_norm.weight", width, 1)
    vector("norm.weight", width, 1)
    for i in range(config["num_hidden_layers"]):
        layer = f"layers.{i}."
        vector(layer + "input_layernorm.weight", width, 1)
        vector(layer + "post_attention_layernorm.weight", width, 1)
        vector(layer + "self_attn.q_norm.weight", head, 1.5)
        vector(layer + "self_attn.k_norm.weight", head, 1.5)
        for part, rows in (("q", heads * head), ("k", kv_heads * head), ("v", kv_heads * head)):
            matrix(layer + f"self_attn.{part}_proj.weight", rows, width)
            vector(layer + f"self_attn.{part}_proj.bias", rows, 0)
        matrix(layer + "self_attn.o_proj.weight", width, heads * head)
        vector(layer + "self_attn.o_proj.bias", width, 0)
        matrix(layer + "mlp.gate_proj.weight", feed_forward, width)
        matrix(layer + "mlp.up_proj.weight", feed_forward, width)
        matrix(layer + "mlp.down_proj.weight", width, feed_forward)
    return config, weights


def randomised(module, random):
    """Norms and biases too, which initialisers leave at ones and zeros."""

    def leaf(x):
        if not isinstance(x, jax.Array) or not jnp.issubdtype(x.dtype, jnp.floating):
            return x
        if x.ndim > 1:
            values = random.standard_normal(x.shape) / x.shape[-1] ** 0.5
        else:
            values = np.asarray(x, np.float32) + 0.3 * random.standard_normal(x.shape)
        return jnp.asarray(values).astype(x.dtype)

    return jax.tree.map(leaf, module)


def main(out, target_folder):
    target = json.loads((target_folder / "config.json").read_text())
    tensors = read(target_folder / "model.safetensors")
    trace = read(target_folder / "trace.safetensors")
    sharding = ShardingConfig.replicated()
    random = np.random.default_rng(5)

    with tempfile.TemporaryDirectory() as folder:
        config, weights = published(target, random)
        (Path(folder) / "config.json").write_text(json.dumps(config))
        write(Path(folder) / "model.safetensors", weights)
        draft = load_hf_dflash_draft_model(folder, sharding_config=sharding, dtype=jnp.bfloat16)
    weaver_config = HFWeaverConfig(
        d_model=target["hidden_size"],
        d_embed=target["hidden_size"],
        d_rank=32,
        num_layers=2,
        num_heads=2,
        mlp_channels=24,
        max_depth=config["block_size"] - 1,
        candidate_pool_size=12,
        rope_base=10000.0,
    ).to_weaver_config()
    weaver = weaver_config.init(RandomInitializer(jnp.bfloat16, sharding, key=jax.random.key(7)))
    weaver = randomised(weaver, random)
    speculator_config = DFlashSpeculatorConfig(draft_config=draft.config, weaver_config=weaver.config)
    speculator = DFlashSpeculator(
        config=speculator_config, sharding_config=sharding, draft_model=draft, weaver=weaver
    )
    SpeculatorModel(
        config=SpeculatorModelConfig(speculator_config=speculator_config),
        sharding_config=sharding,
        speculator=speculator,
    ).save(out)

    loaded = SpeculatorModel.load(out, sharding, dtype=jnp.float32).speculator
    passes = TransformerForwardPassConfig.for_tracer_tests()
    keychain = Keychain.init(0, sharding_config=sharding)
    embedding = np.asarray(tensors["model.embed_tokens.weight"], np.float32)
    readout = np.asarray(tensors.get("lm_head.weight", tensors["model.embed_tokens.weight"]), np.float32)
    ids = trace["ids"]
    draft_config = draft.config
    features = np.concatenate([trace[f"prefill.layer.{i}"] for i in draft_config.target_layer_ids], axis=-1)
    record = {}
    for context in CONTEXTS:
        state = loaded.draft_model.empty_state(1, 128, jnp.float32)
        state = loaded.draft_model.append_state(
            state,
            jnp.asarray(features[None, :context]),
            jnp.arange(context, dtype=jnp.int32)[None],
            jnp.asarray([context], dtype=jnp.int32),
            passes,
            keychain=keychain,
        )
        block = [int(ids[context])] + [draft_config.mask_token_id] * (draft_config.block_size - 1)
        hidden = loaded.draft_model(
            jnp.asarray(embedding[block][None]),
            state,
            jnp.asarray([context - 1], dtype=jnp.int32),
            passes,
            keychain=keychain,
        )
        hidden = np.asarray(hidden[0], np.float32)
        logits = hidden @ readout.T
        record[f"hidden.{context}"] = hidden
        record[f"logits.{context}"] = logits
        final = trace["prefill.final_norm"][context - 1]
        record |= weave(loaded.weaver, keychain, embedding, readout, final, hidden, logits, block[0], context)
    write(out / "trace.safetensors", {name: np.ascontiguousarray(value) for name, value in record.items()})


def weave(weaver, keychain, embedding, readout, final, hidden, logits, root, context):
    """A small tree: the root, its two best children, and the best child of each of them."""

    def placed(value):
        return jax.device_put(value, weaver.sharding_config.make_sharding((None,) * np.ndim(value)))

    pool, depth = weaver.config.candidate_pool_size, weaver.config.max_depth
    prefix = weaver.prompt_prefix(placed(final[None]), placed(hidden[None, 1:]), keychain=keychain)
    layers, heads, head = weaver.config.num_layers, weaver.config.num_heads, weaver.config.head_dim
    tokens, parents, depths, candidates, scores = [root], [-1], [0], [], []
    keys, values = [], []
    for node, token in enumerate(tokens):
        if node >= 5:
            break
        path, at = [], parents[node]
        while at >= 0:
            path.insert(0, at)
            at = parents[at]
        ancestor_keys = np.zeros((layers, 1, depth, heads, head), np.float32)
        ancestor_values = np.zeros_like(ancestor_keys)
        mask = np.zeros((1, depth), bool)
        for i, ancestor in enumerate(path):
            ancestor_keys[:, 0, i] = keys[ancestor]
            ancestor_values[:, 0, i] = values[ancestor]
            mask[0, i] = True
        row = logits[depths[node] + 1]
        ranked = np.argsort(-row, kind="stable")[:pool]
        result, own_keys, own_values = weaver.step(
            placed(readout),
            placed(embedding),
            placed(np.asarray([token])),
            placed(ranked[None]),
            placed(row[ranked][None]),
            prefix.keys,
            prefix.values,
            placed(np.asarray([depths[node]])),
            placed(ancestor_keys),
            placed(ancestor_values),
            placed(mask),
            keychain=keychain,
        )
        keys.append(np.asarray(own_keys)[:, 0])
        values.append(np.asarray(own_values)[:, 0])
        candidates.append(ranked)
        scores.append(np.asarray(result[0], np.float32))
        best = ranked[np.argsort(-scores[-1], kind="stable")]
        for child in best[: 2 if node == 0 else 1]:
            tokens.append(int(child))
            parents.append(node)
            depths.append(depths[node] + 1)
    count = len(scores)
    return {
        f"weaver.tokens.{context}": np.asarray(tokens[:count], np.int64),
        f"weaver.parents.{context}": np.asarray(parents[:count], np.int64),
        f"weaver.candidates.{context}": np.stack(candidates).astype(np.int64),
        f"weaver.scores.{context}": np.stack(scores),
    }


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent / "resources" / "speculators"
    (here / sys.argv[1]).mkdir(parents=True, exist_ok=True)
    main(here / sys.argv[1], Path(sys.argv[2]))
