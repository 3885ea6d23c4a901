#!/usr/bin/env python3
"""train_block.py FOLDER SPECULATOR --fingerprint F --layers 2 14 25 [--seconds S] [--epochs E] [--block 8] …

Trains a block drafter (DFlash) on the dialogues and features in FOLDER: anchors at random places of the answers, a
block below each, cross-entropy on its rows weighing e^(-(k-1)/gamma), gamma half a block. Prints accepted tokens
a pass on held-out dialogues as it goes, keeps a checkpoint (block.checkpoint) from which the same command goes on, and writes
config.json and model.safetensors into SPECULATOR whenever it has become better.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np
import torch

import block
import block_file
import dialogues
import training
from training import SparseCrossEntropy

SKIPPED = 16
HELD_OUT_DIALOGUES = 48


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--fingerprint", required=True, help="ends in the target's width and depth")
    parser.add_argument("--layers", type=int, nargs="+", required=True, help="whose outputs the features are")
    parser.add_argument("--seconds", type=float, default=7200)
    parser.add_argument("--epochs", type=float, default=8)
    parser.add_argument("--block", type=int, default=8)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--head-size", type=int, default=64)
    parser.add_argument("--feed-forward", type=int, help="twice the width")
    parser.add_argument("--vocabulary", type=int, default=8192, help="tokens that training tells apart")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--decay", type=float, default=0.05)
    parser.add_argument("--batch", type=int, default=1600)
    parser.add_argument("--spacing", type=int, default=8, help="answer tokens for an anchor")
    parser.add_argument("--temperature", type=float, default=0.7)
    parser.add_argument("--report-every", type=float, default=120, help="seconds of training")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    return parser.parse_args()


class Trainer:
    def __init__(self, options):
        self.options = options
        found = dialogues.load(options.folder)
        self.held_out = [d for d in found if d.held_out][:HELD_OUT_DIALOGUES]
        self.learnt = [d for d in found if not d.held_out]
        if not self.held_out or not self.learnt:
            sys.exit(f"train_block: too few dialogues with features in {options.folder}")
        target = dialogues.tensors(options.folder / "target.safetensors")
        table = target["embedding"]
        readout = target.get("readout", table)
        self.target_vocabulary, hidden = table.shape
        self.mask = self.target_vocabulary - 1
        heads = max(1, hidden // options.head_size)
        kv_heads = max(k for k in range(1, 5) if heads % k == 0)
        self.shape = block.Shape(
            hidden,
            tuple(options.layers),
            options.depth,
            heads,
            kv_heads,
            options.head_size,
            options.feed_forward or 2 * hidden,
            options.block,
        )
        size = min(options.vocabulary, self.target_vocabulary)
        self.vocabulary = torch.from_numpy(dialogues.reduced_vocabulary(self.learnt, target["uses"], size))
        self.index()
        self.readout = torch.from_numpy(readout[self.vocabulary.numpy()].astype(np.float32))
        self.embedding = torch.from_numpy(np.array(table))
        sample = torch.cat([d for d in map(self._features, self.learnt[:: max(1, len(self.learnt) // 100)])])
        scale = sample.pow(2).mean(0).sqrt() + 1e-3
        generator = torch.Generator().manual_seed(1)
        self.p = block.initial(self.shape, torch.from_numpy(np.array(target["norm"])), scale, generator)
        self.blocks = block.Blocks(self.p, self.shape, max(len(d) for d in found) + options.block)
        self.positions = sum(int((d.writers[SKIPPED:] > 0).sum()) for d in self.learnt)
        print(
            f"{len(self.learnt)} dialogues to learn from, {len(self.held_out)} held out; "
            f"{sum(p.numel() for p in self.p.values()) / 1e6:.1f} M parameters, blocks of {options.block}",
            flush=True,
        )

    def _features(self, dialogue):
        return torch.from_numpy(np.array(dialogue.features[SKIPPED:-1])).view(torch.bfloat16).float()

    def constants(self):
        return {"vocabulary": self.vocabulary}

    def index(self):
        self.place = torch.full((self.target_vocabulary,), -1)
        self.place[self.vocabulary] = torch.arange(len(self.vocabulary))

    def batch(self, group):
        return dialogues.Batch(group, self.place, self.options.temperature, SKIPPED)

    def rows(self, ids, anchors):
        first = self.embedding[ids.gather(1, anchors)].float().unsqueeze(2)
        mask = self.embedding[self.mask].float().expand(*anchors.shape, self.shape.block - 1, -1)
        return torch.cat([first, mask], 2)

    def anchors(self, learnt):
        """As many places in each dialogue, so that the next token is one to learn; too few are taken twice."""
        wanted = torch.zeros_like(learnt)
        wanted[:, :-1] = learnt[:, 1:]
        count = max(1, int(learnt.sum()) // len(learnt) // self.options.spacing)
        return torch.sort(torch.multinomial(wanted.float() + 1e-9, count), 1).values

    def loss(self, batch):
        anchors = self.anchors(batch.learnt)
        length = batch.ids.shape[1]
        out = self.blocks(batch.features, self.rows(batch.ids, anchors), anchors)[:, :, 1:]
        depth = torch.arange(1, self.shape.block)
        label = anchors[:, :, None] + depth
        inside = label < length
        label = label.clamp(max=length - 1).flatten(1)
        use = inside.flatten(1) & batch.learnt.gather(1, label)
        gamma = self.shape.block / 2
        weight = torch.exp(-(depth - 1) / gamma).expand(*anchors.shape, -1).flatten(1)[use]
        wide = label[..., None].expand(-1, -1, batch.label_ids.shape[-1])
        ids, weights = batch.label_ids.gather(1, wide)[use], batch.label_weights.gather(1, wide)[use]
        total = SparseCrossEntropy.apply(out.flatten(1, 2)[use], self.readout, ids, weights * weight[:, None])
        return total, [total.item() / weight.mean().item()], int(use.sum())

    @torch.no_grad()
    def accepted(self):
        """Accepted tokens of a whole block's likeliest chain a pass, mean over anchors spread over held-out answers."""
        right = torch.zeros(self.shape.block - 1)
        count = 0
        for at in range(0, len(self.held_out), 4):
            batch = self.batch(self.held_out[at : at + 4])
            length = batch.ids.shape[1]
            anchors = torch.arange(SKIPPED, length - 1, 3).expand(len(batch.ids), -1)
            run = batch.answer.gather(1, anchors + 1)
            count += int(run.sum())
            out = self.blocks(batch.features, self.rows(batch.ids, anchors), anchors)
            for k in range(1, self.shape.block):
                said = torch.full_like(anchors, -1)
                said[run] = self.vocabulary[(out[:, :, k][run] @ self.readout.T).argmax(-1)]
                inside = anchors + k < length
                run = run & inside & (said == batch.ids.gather(1, (anchors + k).clamp(max=length - 1)))
                right[k - 1] += int(run.sum())
        chances = (right / torch.cat([torch.tensor([float(count)]), right[:-1]]).clamp(min=1)).tolist()
        return right.sum().item() / max(1, count), " ".join(f"{c:.2f}" for c in chances)


def main():
    options = arguments()
    training.end_with_parent()
    torch.set_num_threads(options.threads)
    torch.manual_seed(int(time.time()))
    trainer = Trainer(options)
    # A position counts once for each block that learns it.
    positions = options.epochs * trainer.positions * (options.block - 1) / options.spacing
    run = training.Run(
        trainer.p,
        trainer.constants(),
        options.folder / "block.checkpoint",
        options.rate,
        options.decay,
        options.seconds,
        positions,
    )
    trainer.index()
    depth = int(options.fingerprint.split("-")[-1])

    def write():
        block_file.write(options.out, trainer.p, trainer.shape, trainer.target_vocabulary, trainer.mask, depth)

    training.learn(run, trainer, options, write)


if __name__ == "__main__":
    main()
