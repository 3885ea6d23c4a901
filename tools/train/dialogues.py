"""Dialogues that a model wrote, its features on them, and its embedding, as train-drafter's Java part leaves them."""

import json
import re
from pathlib import Path

import numpy as np
import torch

TYPES = {"I32": np.int32, "F32": np.float32, "F16": np.float16, "BF16": np.int16, "U8": np.uint8}


def tensors(path):
    """A safetensors file's arrays, mapped; bfloat16 as the integers of its bits."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    found = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = entry["data_offsets"]
        kind = np.dtype(TYPES[entry["dtype"]])
        if end > start:
            found[name] = np.memmap(
                path, kind, "r", 8 + length + start, tuple(entry["shape"])
            )
        else:
            found[name] = np.zeros(entry["shape"], kind)
    return found


class Dialogue:
    """One dialogue; its arrays are views of the shard's."""

    def __init__(self, shard, features, start, end, held_out):
        self.ids = shard["ids"][start:end]
        self.writers = shard["writers"][start:end]
        self.top_ids = shard["top_ids"][start:end]
        self.top_probabilities = shard["top_probabilities"][start:end]
        self.features = features[start:end]
        self.held_out = held_out

    def __len__(self):
        return len(self.ids)


def load(folder):
    """All dialogues that have features, in order."""
    found = []
    for path in sorted(Path(folder).glob("dialogues-*.safetensors")):
        beside = path.with_name(path.name.replace("dialogues", "features"))
        if not re.fullmatch(r"dialogues-\d+\.safetensors", path.name) or not beside.exists():
            continue
        shard, features = tensors(path), tensors(beside)
        starts = shard["starts"]
        held_out = shard.get("held_out", np.arange(len(starts) - 1) % 24 == 0)
        for i, (start, end) in enumerate(zip(starts[:-1], starts[1:])):
            found.append(Dialogue(shard, features["features"], start, end, bool(held_out[i])))
    return found


def reduced_vocabulary(dialogues, uses, size):
    """The tokens that answers most expect, sorted by id.

    uses [vocabulary]: how often prompts have each token, for those that no answer has needed yet; ties go to the lower
    id, which BPE made earlier.
    """
    mass = np.asarray(uses, np.float64) * (0.1 / max(1, int(np.sum(uses))) * sum(len(d) for d in dialogues))
    for each in dialogues:
        written = each.writers > 0
        np.add.at(mass, each.top_ids[written].ravel(), each.top_probabilities[written].ravel())
    return np.sort(np.lexsort((np.arange(len(mass)), -mass))[:size])


class Embedding:
    """Rows of the target's embedding at unit RMS, only of the tokens that occur."""

    def __init__(self, table, dialogues):
        used = np.unique(np.concatenate([each.ids for each in dialogues]))
        rows = torch.from_numpy(table[used].astype(np.float32))
        self.rows = rows * torch.rsqrt(rows.pow(2).mean(-1, keepdim=True) + 1e-12)
        self.place = torch.zeros(len(table), dtype=torch.int64)
        self.place[torch.from_numpy(used.astype(np.int64))] = torch.arange(len(used))

    def __call__(self, ids):
        return self.rows[self.place[ids]]


class Batch:
    """Dialogues of similar length side by side: ids, features [B, L, W], labels, and what is learnt and measured."""

    def __init__(self, dialogues, vocabulary_place, temperature, skip):
        length = max(len(d) for d in dialogues)
        count, width, top = len(dialogues), dialogues[0].features.shape[1], dialogues[0].top_ids.shape[1]
        self.ids = torch.zeros((count, length), dtype=torch.int64)
        self.features = torch.zeros((count, length, width), dtype=torch.bfloat16)
        self.label_ids = torch.zeros((count, length, top), dtype=torch.int64)
        self.label_weights = torch.zeros((count, length, top))
        self.learnt = torch.zeros((count, length), dtype=torch.bool)
        self.answer = torch.zeros((count, length), dtype=torch.bool)
        for row, d in enumerate(dialogues):
            n = len(d)
            self.ids[row, :n] = torch.from_numpy(d.ids.astype(np.int64))
            self.features[row, :n] = torch.from_numpy(np.array(d.features)).view(torch.bfloat16)
            place = vocabulary_place[torch.from_numpy(d.top_ids.astype(np.int64))]
            weights = torch.from_numpy(np.array(d.top_probabilities)).clamp(min=0) ** (1 / temperature)
            weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-9)
            self.label_ids[row, :n] = place.clamp(min=0)
            self.label_weights[row, :n] = weights * (place >= 0)
            writers = torch.from_numpy(np.array(d.writers))
            self.learnt[row, skip:n] = writers[skip:] > 0
            self.answer[row, :n] = writers == 2


def batches(dialogues, tokens, rng):
    """One epoch: dialogues of similar length share a batch of about `tokens` padded tokens."""
    order = rng.permutation(len(dialogues))
    for at in range(0, len(order), 64):
        part = sorted(order[at : at + 64], key=lambda i: len(dialogues[i]))
        groups, group = [], []
        for i in part:
            if group and (len(group) + 1) * len(dialogues[i]) > tokens:
                groups.append(group)
                group = []
            group.append(i)
        groups.append(group)
        for g in rng.permutation(len(groups)):
            yield [dialogues[i] for i in groups[g]]
