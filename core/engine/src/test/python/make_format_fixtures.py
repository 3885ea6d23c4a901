"""Writes the fixtures of uzu.format's tests with the PyPI packages numpy and gguf.

    python make_format_fixtures.py [RESOURCES]

format/types.gguf        one tensor of every type that the engine reads, and one key of every value type
format/types.bin         the values that gguf.quants.dequantize gives for those tensors, float32, in file order
format/unsupported.gguf  a tensor of a type that the engine doesn't read
"""

import sys
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type

TYPES = [Type.F32, Type.F16, Type.BF16, Type.Q4_0, Type.Q4_1, Type.Q5_0, Type.Q5_1, Type.Q8_0,
         Type.Q2_K, Type.Q3_K, Type.Q4_K, Type.Q5_K, Type.Q6_K]
# Where the half-precision scales lie in a block: random bits there would give infinities.
SCALES = {Type.Q4_0: [0], Type.Q4_1: [0, 2], Type.Q5_0: [0], Type.Q5_1: [0, 2], Type.Q8_0: [0],
          Type.Q2_K: [80, 82], Type.Q3_K: [108], Type.Q4_K: [0, 2], Type.Q5_K: [0, 2], Type.Q6_K: [208]}
ROWS, COLUMNS = 3, 512


def stored(rng, kind):
    if kind == Type.F32:
        return rng.standard_normal((ROWS, COLUMNS), np.float32)
    if kind == Type.F16:
        return rng.standard_normal((ROWS, COLUMNS), np.float32).astype(np.float16)
    if kind == Type.BF16:
        return gguf.quants.quantize(rng.standard_normal((ROWS, COLUMNS), np.float32), kind)
    block, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = rng.integers(0, 256, (ROWS * COLUMNS // block, size), np.uint8)
    for at in SCALES[kind]:
        scale = rng.standard_normal(len(blocks)).astype(np.float16) / np.float16(50)
        blocks[:, at:at + 2] = scale[:, None].view(np.uint8)
    return blocks.reshape(ROWS, -1)


def write_types(folder):
    rng = np.random.default_rng(20260101)
    writer = gguf.GGUFWriter(folder / "types.gguf", "test")
    writer.add_uint8("v.u8", 200)
    writer.add_int8("v.i8", -100)
    writer.add_uint16("v.u16", 60000)
    writer.add_int16("v.i16", -30000)
    writer.add_uint32("v.u32", 4000000000)
    writer.add_int32("v.i32", -2000000000)
    writer.add_uint64("v.u64", 2**63)
    writer.add_int64("v.i64", -(2**60))
    writer.add_float32("v.f32", 1.5)
    writer.add_float64("v.f64", 0.1)
    writer.add_bool("v.bool", True)
    writer.add_string("v.string", "héllo 🌀")
    writer.add_array("v.strings", ["", "a", "Ġb", "深い"])
    writer.add_array("v.ints", [1, -2, 3])
    writer.add_array("v.floats", [0.5, -1.0])
    writer.add_array("v.nested", [[1, 2], [3]])
    values = []
    for kind in TYPES:
        data = stored(rng, kind)
        values.append(gguf.quants.dequantize(data, kind).astype("<f4"))
        raw = kind if kind not in (Type.F32, Type.F16) else None
        writer.add_tensor(kind.name.lower(), data, raw_dtype=raw)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    (folder / "types.bin").write_bytes(b"".join(v.tobytes() for v in values))


def write_unsupported(folder):
    writer = gguf.GGUFWriter(folder / "unsupported.gguf", "test")
    writer.add_tensor("blk.0.attn_q.weight", np.zeros((1, 74), np.uint8), raw_dtype=Type.IQ2_XS)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    resources = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "resources"
    target = resources / "format"
    target.mkdir(parents=True, exist_ok=True)
    write_types(target)
    write_unsupported(target)
