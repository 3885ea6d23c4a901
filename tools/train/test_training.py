#!/usr/bin/env python3
"""Tests of the trainers on a tiny made-up target: a cyclic language whose features tell the token.

The last line counts."""

import json
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import numpy as np
import torch

import block_file
import dialogues
import network
from training import SparseCrossEntropy

HERE = Path(__file__).parent
WORDS, WIDTH, LENGTH = 32, 32, 60


SMALL = ["--width", "32", "--heads", "2", "--head-size", "16", "--feed-forward", "64", "--batch", "240"]


def safetensors(path, arrays):
    names = {np.dtype(np.int32): "I32", np.dtype(np.float32): "F32", np.dtype(np.float16): "F16"}
    names |= {np.dtype(np.int16): "BF16", np.dtype(np.uint8): "U8"}
    header, at = {}, 0
    for name, array in arrays.items():
        end = at + array.nbytes
        header[name] = {"dtype": names[array.dtype], "shape": list(array.shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(a.tobytes() for a in arrays.values()))


def material(folder):
    """Two shards; token t is followed by t + 1; features of three layers are copies of the token's embedding."""
    rng = np.random.default_rng(3)
    table = rng.standard_normal((WORDS, WIDTH)).astype(np.float16)
    target = {"embedding": table, "norm": np.ones(WIDTH, np.float32), "uses": np.ones(WORDS, np.int32)}
    safetensors(folder / "target.safetensors", target)
    for shard in range(2):
        ids = np.concatenate([(np.arange(LENGTH) + rng.integers(WORDS)) % WORDS for _ in range(8)]).astype(np.int32)
        top_ids = np.stack([(ids + k) % WORDS for k in range(8)], 1).astype(np.int32)
        top = np.tile(np.array([0.93] + [0.01] * 7, np.float32), (len(ids), 1))
        writers = np.tile((np.arange(LENGTH) >= 8).astype(np.uint8) * 2, 8)
        held_out = (np.arange(8) == 0).astype(np.uint8)
        starts = np.arange(0, 8 * LENGTH + 1, LENGTH, dtype=np.int32)
        parts = {"starts": starts, "ids": ids, "top_ids": top_ids, "top_probabilities": top}
        safetensors(
            folder / f"dialogues-{shard:04d}.safetensors", parts | {"writers": writers, "held_out": held_out}
        )
        features = np.tile(table[ids].astype(np.float32), (1, 3))
        bits = torch.from_numpy(features).bfloat16().view(torch.int16).numpy()
        safetensors(folder / f"features-{shard:04d}.safetensors", {"ids": ids, "features": bits})


def train(program, folder, out, *options):
    command = [sys.executable, "-u", HERE / program, folder, out, "--fingerprint", "ab-32-9", "--layers", "2", "4", "6"]
    command += ["--threads", "1", "--report-every", "0.5", *options]
    # The trainer runs for as long as its input is held open.
    with subprocess.Popen(
        [str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        output = process.stdout.read()
    assert process.returncode == 0, output
    return output


def a_trainer_ends_with_who_started_it(folder):
    material(folder)
    command = [sys.executable, HERE / "train_network.py", folder, folder / "network.gguf", "--fingerprint", "ab-32-9"]
    command += ["--layers", "2", "4", "6", "--epochs", "1000000", *SMALL]
    with subprocess.Popen([str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        process.stdin.close()
        assert process.wait(timeout=60) == 3


def accepted(output):
    return [float(line.split("held out: ")[1].split()[0]) for line in output.splitlines() if "held out: " in line]


def the_network_learns_goes_on_and_is_written(folder):
    material(folder)
    out = folder / "speculator" / "network.gguf"
    first = train("train_network.py", folder, out, *SMALL, "--rate", "0.01", "--epochs", "20", "--vocabulary", "32")
    assert accepted(first)[0] < 1.0 < 2.5 < accepted(first)[-1], first
    again = train("train_network.py", folder, out, *SMALL, "--rate", "0.01", "--epochs", "21", "--vocabulary", "32")
    assert "goes on at step" in again and accepted(again)[0] > 2.5, again
    beside = folder / "beside.gguf"
    (folder / "network.checkpoint").unlink()
    options = ["--begin", out, "--epochs", "1", "--vocabulary", "32"]
    assert accepted(train("train_network.py", folder, beside, *SMALL, *options))[0] > 2.5
    from gguf import GGUFReader

    reader = GGUFReader(out)
    names = {t.name: tuple(int(n) for n in reversed(t.shape)) for t in reader.tensors}
    assert names["condition.weight"] == (32, 96) and names["output.weight"] == (32, 32), names
    assert reader.fields["feature.fingerprint"].contents() == "ab-32-9"
    assert len(reader.fields["feature.tokens"].contents()) == 32
    assert not list(folder.rglob("*.part"))


def the_block_drafter_learns_and_is_written(folder):
    material(folder)
    options = ["--block", "4", "--depth", "1", "--head-size", "16", "--rate", "0.01"]
    options += ["--epochs", "40", "--spacing", "3"]
    output = train("train_block.py", folder, folder / "speculator", *options, "--vocabulary", "32", "--batch", "240")
    assert accepted(output)[0] < 1.0 < 2.0 < accepted(output)[-1], output
    found = dialogues.tensors(folder / "speculator" / "model.safetensors")
    root = block_file.ROOT
    assert found[root + "layers.0.mixer.qkvg_projection.weights.weights"].shape == (96, 32)
    kept = found[root + "state_kv_projection.weights.weights"]
    assert (kept == found[root + "layers.0.mixer.qkvg_projection.weights.weights"][32:]).all()


def later_steps_see_what_drafting_sees(folder):
    """A chain drafted step by step gives what the unrolling gives for its anchor."""
    shape = network.Shape(16, (2,), 16, 2, 1, 8, 32, 20)
    generator = torch.Generator().manual_seed(5)
    random = lambda *size: torch.randn(size, generator=generator)
    p = {name: 0.3 * random(*size) for name, size in shape.weights().items()}
    rope = network.Rope(shape, 32)
    embedded, conditions = random(1, 12, 16), random(1, 12, 16)
    outputs = network.unrolled(p, shape, rope, embedded, conditions, torch.tensor([[4]]), 3)
    x = embedded[:, :5] + conditions[:, :5]
    for step in range(3):
        if step:
            carried = torch.nn.functional.linear(network.rms(last), p["carry.weight"])
            x = torch.cat([x, embedded[:, 4 + step : 5 + step] + carried], 1)
        at = torch.arange(x.shape[1])
        q, k, v = network.projections(p, shape, rope, x, at)
        visible = at[None, None, :] <= at[None, :, None]
        last = network.feed_forward(p, x, network.attend(shape, q, k, v, visible, []))[:, -1:]
        expected = outputs[step][:, 4:5] if step == 0 else outputs[step]
        assert torch.allclose(last, expected, atol=1e-4), (step, (last - expected).abs().max())


def the_readouts_gradient_is_the_true_one(folder):
    generator = torch.Generator().manual_seed(6)
    hidden = torch.randn(5, 8, generator=generator, requires_grad=True)
    readout = torch.randn(12, 8, generator=generator, requires_grad=True)
    ids = torch.tensor([[1, 2], [3, 0], [11, 4], [5, 5], [7, 8]])
    weights = torch.tensor([[0.5, 0.3], [1.0, 0.0], [0.2, 0.2], [0.4, 0.6], [0.0, 0.0]])
    SparseCrossEntropy.apply(hidden, readout, ids, weights).backward()
    ours = hidden.grad.clone(), readout.grad.clone()
    hidden.grad = readout.grad = None
    (-(weights * (hidden @ readout.T).log_softmax(-1).gather(1, ids)).sum() / 5).backward()
    assert torch.allclose(ours[0], hidden.grad, atol=1e-5) and torch.allclose(ours[1], readout.grad, atol=1e-5)


def half_a_shard_is_no_shard(folder):
    material(folder)
    shard = folder / "dialogues-0001.safetensors"
    shard.rename(folder / "dialogues-0001.safetensors.part")
    assert len(dialogues.load(folder)) == 8


def main():
    tests = [
        half_a_shard_is_no_shard,
        a_trainer_ends_with_who_started_it,
        the_readouts_gradient_is_the_true_one,
        later_steps_see_what_drafting_sees,
        the_network_learns_goes_on_and_is_written,
        the_block_drafter_learns_and_is_written,
    ]
    failed = 0
    for test in tests:
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Path(folder))
                print("ok", test.__name__)
            except Exception:
                failed += 1
                print("FAILED", test.__name__)
                traceback.print_exc(file=sys.stdout)
    print(f"{len(tests) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
