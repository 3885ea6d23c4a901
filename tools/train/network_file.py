"""Writes a trained feature drafter as network.gguf (docs/speculation.md, Files), and reads it to go on from."""

import os

import numpy as np
import torch
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter, quants

LARGE = ("output.weight", "ffn_gate.weight", "ffn_up.weight", "ffn_down.weight")


def kind(name, array, types):
    if array.ndim == 1 or array.shape[1] % 32 or name.startswith("features."):
        return GGMLQuantizationType.F32
    if types == "q4_0" or (types == "mixed" and name in LARGE):
        return GGMLQuantizationType.Q4_0
    return GGMLQuantizationType.Q8_0


def write(path, trainer, fingerprint, types):
    """The file is there whole or not at all."""
    shape = trainer.shape
    path.parent.mkdir(parents=True, exist_ok=True)
    part = str(path) + ".part"
    writer = GGUFWriter(part, "uzu-feature")
    writer.add_array("feature.target_layers", list(shape.layers))
    for key, value in {
        "target_width": shape.target_width,
        "width": shape.width,
        "heads": shape.heads,
        "kv_heads": shape.kv_heads,
        "head_size": shape.head_size,
        "feed_forward": shape.feed_forward,
        "vocabulary": shape.vocabulary,
    }.items():
        writer.add_uint32("feature." + key, value)
    writer.add_float32("feature.rope_base", shape.rope_base)
    writer.add_float32("feature.epsilon", 1e-5)
    writer.add_float32("feature.clip", shape.clip)
    writer.add_float32("feature.temperature", trainer.options.temperature)
    writer.add_array("feature.tokens", trainer.vocabulary.tolist())
    writer.add_string("feature.fingerprint", fingerprint)
    arrays = {name: value.detach().numpy() for name, value in trainer.p.items()}
    arrays["features.mean"], arrays["features.deviation"] = trainer.mean.numpy(), trainer.deviation.numpy()
    for name, array in arrays.items():
        array = np.ascontiguousarray(array, np.float32)
        chosen = kind(name, array, types)
        if chosen == GGMLQuantizationType.F32:
            writer.add_tensor(name, array)
        else:
            writer.add_tensor(name, quants.quantize(array, chosen), raw_dtype=chosen)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    os.replace(part, path)


def read(path):
    """The tensors of a network.gguf by name, as floats, and what it says about itself."""
    reader = GGUFReader(path)
    field = lambda name: (found := reader.get_field("feature." + name)) and found.contents()
    about = {name: field(name) for name in ("tokens", "fingerprint", "target_layers")}
    tensors = {each.name: quants.dequantize(each.data, each.tensor_type) for each in reader.tensors}
    return {name: torch.from_numpy(np.array(array)) for name, array in tensors.items()}, about
