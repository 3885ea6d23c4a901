#!/usr/bin/env python3
"""train_network.py FOLDER OUT.gguf --fingerprint F [--seconds S] [--epochs E] [--width D] [--vocabulary V] …

Trains the feature drafter on the dialogues and features in FOLDER, beside which target.safetensors has the target's
embedding, readout and final norm. Prints accepted tokens a pass on held-out dialogues as it goes, keeps a checkpoint
(network.checkpoint) from which the same command goes on, and writes OUT.gguf whenever it has become better. With --begin
FILE and no checkpoint yet it begins with a trained network, whose vocabulary it keeps.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np
import torch

import dialogues
import network
import training
from network_file import read, write
from training import SparseCrossEntropy

SKIPPED = 16  # the first features of a sequence are odd
HELD_OUT_DIALOGUES = 48


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--fingerprint", required=True)
    parser.add_argument("--layers", type=int, nargs="+", required=True, help="whose outputs the features are")
    parser.add_argument("--begin", type=Path, help="a network.gguf of the same shape, to train further")
    parser.add_argument("--seconds", type=float, default=7200)
    parser.add_argument("--epochs", type=float, default=8)
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--heads", type=int, default=10)
    parser.add_argument("--kv-heads", type=int, default=2)
    parser.add_argument("--head-size", type=int, default=64)
    parser.add_argument("--feed-forward", type=int, default=1536)
    parser.add_argument("--vocabulary", type=int, default=8192)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--decay", type=float, default=0.1)
    parser.add_argument("--noise", type=float, default=0.1)
    parser.add_argument("--batch", type=int, default=1600)
    parser.add_argument("--temperature", type=float, default=0.7)
    parser.add_argument("--report-every", type=float, default=120, help="seconds of training")
    parser.add_argument("--types", default="q4_0", help="how matrices are stored: q4_0, q8_0, or mixed: the large ones q4_0")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    return parser.parse_args()


class Trainer:
    def __init__(self, options):
        self.options = options
        found = dialogues.load(options.folder)
        self.held_out = [d for d in found if d.held_out][:HELD_OUT_DIALOGUES]
        self.learnt = [d for d in found if not d.held_out]
        if not self.held_out or not self.learnt:
            sys.exit(f"train_network: too few dialogues with features in {options.folder}")
        target = dialogues.tensors(options.folder / "target.safetensors")
        table = target["embedding"]
        readout = target.get("readout", table)
        self.shape = network.Shape(
            table.shape[1],
            tuple(options.layers),
            options.width,
            options.heads,
            options.kv_heads,
            options.head_size,
            options.feed_forward,
            min(options.vocabulary, len(table)),
        )
        if found[0].features.shape[1] != self.shape.features:
            sys.exit(f"train_network: {found[0].features.shape[1]} features a token are not of {options.layers}")
        self.vocabulary = torch.from_numpy(
            dialogues.reduced_vocabulary(self.learnt, target["uses"], self.shape.vocabulary)
        )
        self.target_vocabulary = len(table)
        self.index()
        self.embedding = dialogues.Embedding(table, found)
        sample = torch.cat([self._features(d) for d in self.learnt[:: max(1, len(self.learnt) // 100)]])
        self.mean, self.deviation = sample.mean(0), sample.std(0) + 1e-3
        rows = torch.from_numpy(readout[self.vocabulary.numpy()].astype(np.float32))
        norm = torch.from_numpy(np.array(target["norm"]))
        generator = torch.Generator().manual_seed(1)
        standard = network.standardised(self.shape, sample[:2000], self.mean, self.deviation)
        self.p = network.initial(self.shape, rows * norm, standard, generator)
        if options.begin:
            self._begin(options.begin)
        self.rope = network.Rope(self.shape, max(len(d) for d in found) + options.steps)
        answers = sum(int((d.writers == 2).sum()) for d in self.learnt)
        self.positions = sum(int((d.writers[SKIPPED:] > 0).sum()) for d in self.learnt)
        print(
            f"{len(self.learnt)} dialogues of {answers} answer tokens to learn from, {len(self.held_out)} held out; "
            f"{sum(p.numel() for p in self.p.values()) / 1e6:.1f} M parameters; its {self.shape.vocabulary} tokens are "
            f"{self._covered():.1%} of the held-out answers",
            flush=True,
        )

    def _begin(self, path):
        found, about = read(path)
        target = self.options.fingerprint, list(self.shape.layers)
        if (about["fingerprint"], about["target_layers"]) != target:
            sys.exit(f"train_network: {path} is no network for this model and these layers")
        wanted = {name: tuple(value.shape) for name, value in self.p.items()}
        if {name: tuple(found[name].shape) for name in wanted if name in found} != wanted:
            sys.exit(f"train_network: the network in {path} has other parameters or another shape")
        self.vocabulary = torch.tensor(about["tokens"])
        self.p = {name: found[name] for name in wanted}
        self.mean, self.deviation = found["features.mean"], found["features.deviation"]
        self.index()

    def constants(self):
        return {"vocabulary": self.vocabulary, "mean": self.mean, "deviation": self.deviation}

    def index(self):
        """Where each token stands in the reduced vocabulary; −1: it isn't there."""
        self.place = torch.full((self.target_vocabulary,), -1)
        self.place[self.vocabulary] = torch.arange(self.shape.vocabulary)

    def _features(self, dialogue):
        return torch.from_numpy(np.array(dialogue.features[SKIPPED:-1])).view(torch.bfloat16).float()

    def _covered(self):
        said = np.concatenate([d.ids[d.writers == 2] for d in self.held_out]).astype(np.int64)
        return (self.place[torch.from_numpy(said)] >= 0).float().mean().item()

    def batch(self, group):
        return dialogues.Batch(group, self.place, self.options.temperature, SKIPPED)

    def outputs(self, batch, anchors, noise=0.0):
        following = torch.cat([batch.ids[:, 1:], batch.ids[:, :1]], 1)
        embedded = torch.nn.functional.linear(self.embedding(following), self.p["token.weight"])
        features = network.standardised(self.shape, batch.features, self.mean, self.deviation)
        if noise:
            features = features + noise * torch.randn(features.shape)
        conditions = torch.nn.functional.linear(features, self.p["condition.weight"], self.p["condition.bias"])
        return network.unrolled(self.p, self.shape, self.rope, embedded, conditions, anchors, self.options.steps)

    def loss(self, batch):
        """Every index learns the first step, a third of them the later ones, which weigh 0.8, 0.64, …"""
        count, length = batch.ids.shape
        m = max(1, length // 3)
        anchors = torch.sort(torch.rand(count, length).argsort(1)[:, :m], 1).values
        total, parts = 0.0, []
        for step, x in enumerate(self.outputs(batch, anchors, self.options.noise)):
            at = torch.arange(length).expand(count, -1) if step == 0 else anchors
            label = at + step + 2
            inside = label < length
            label = label.clamp(max=length - 1)
            use = inside & batch.learnt.gather(1, label)
            ids = batch.label_ids.gather(1, label[..., None].expand(-1, -1, batch.label_ids.shape[-1]))[use]
            weights = batch.label_weights.gather(1, label[..., None].expand(-1, -1, batch.label_ids.shape[-1]))[use]
            hidden = network.rms(x[use], self.p["output_norm.weight"])
            part = SparseCrossEntropy.apply(hidden, self.p["output.weight"], ids, weights)
            parts.append(part.item())
            total = total + 0.8**step * part
        return total, parts, int(batch.learnt.sum())

    @torch.no_grad()
    def accepted(self):
        """Accepted tokens of a chain a pass, mean over all of the held-out answers; how often each step is right after
        right ones."""
        right = torch.zeros(self.options.steps)
        count = 0
        for at in range(0, len(self.held_out), 4):
            batch = self.batch(self.held_out[at : at + 4])
            length = batch.ids.shape[1]
            every = torch.arange(length).expand(len(batch.ids), -1)
            run = torch.cat([batch.answer[:, 2:], torch.zeros_like(batch.answer[:, :2])], 1)
            count += int(run.sum())
            for step, x in enumerate(self.outputs(batch, every)):
                label = (every + step + 2).clamp(max=length - 1)
                hidden = network.rms(x[run], self.p["output_norm.weight"])
                said = self.vocabulary[(hidden @ self.p["output.weight"].T).argmax(-1)]
                hit = torch.zeros_like(run)
                hit[run] = said == batch.ids.gather(1, label)[run]
                run = run & hit & (every + step + 2 < length)
                right[step] += int(run.sum())
        chances = (right / torch.cat([torch.tensor([float(count)]), right[:-1]]).clamp(min=1)).tolist()
        return right.sum().item() / count, " ".join(f"{c:.2f}" for c in chances)


def main():
    options = arguments()
    training.end_with_parent()
    torch.set_num_threads(options.threads)
    torch.manual_seed(int(time.time()))
    trainer = Trainer(options)
    checkpoint = options.folder / "network.checkpoint"
    run = training.Run(
        trainer.p,
        trainer.constants(),
        checkpoint,
        options.rate,
        options.decay,
        options.seconds,
        options.epochs * trainer.positions,
    )
    trainer.index()
    training.learn(run, trainer, options, lambda: write(options.out, trainer, options.fingerprint, options.types))


if __name__ == "__main__":
    main()
