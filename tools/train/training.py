"""What the trainers share: optimiser, schedule, checkpoints that survive anything, and the end with the parent."""

import functools
import math
import os
import threading
import time

import numpy as np
import torch

import dialogues


def end_with_parent():
    """The program that started this one holds our standard input open; when it is gone, so are we."""

    def wait():
        while os.read(0, 1 << 16):
            pass
        os._exit(3)

    threading.Thread(target=wait, daemon=True).start()


@functools.cache
def fast_bfloat16():
    """Whether this processor multiplies bfloat16 in hardware."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="ignore") as file:
            text = file.read()
        return "avx512_bf16" in text or "amx_bf16" in text or " bf16 " in text
    except OSError:
        return False


def products():
    """Where matrices are multiplied as bfloat16 if this processor does: 2.2 to 2.5 times as fast as floats on Zen 4."""
    return torch.autocast("cpu", torch.bfloat16, enabled=fast_bfloat16())


class SparseCrossEntropy(torch.autograd.Function):
    """Cross-entropy against a few weighted labels through a readout; no more than the gradients is kept.

    hidden [n, D], readout [V, D], label_ids and label_weights [n, k]. Products may round to bfloat16; sums are of floats.
    """

    @staticmethod
    def forward(ctx, hidden, readout, label_ids, label_weights):
        logits = (hidden @ readout.T).float()
        total = torch.logsumexp(logits, -1, keepdim=True)
        loss = (label_weights * (total - logits.gather(1, label_ids))).sum() / len(hidden)
        gradient = logits.sub_(total).exp_().mul_(label_weights.sum(-1, keepdim=True))
        gradient.scatter_add_(1, label_ids, -label_weights).div_(len(hidden))
        wanted = (gradient.T @ hidden).float() if readout.requires_grad else None
        ctx.save_for_backward((gradient @ readout).float(), wanted)
        return loss

    @staticmethod
    def backward(ctx, upstream):
        hidden, readout = ctx.saved_tensors
        return hidden * upstream, None if readout is None else readout * upstream, None, None


class Run:
    """One training run: its clock, its optimiser, its checkpoint.

    constants: tensors that belong to the parameters and are not learnt; a resumed run takes those of its checkpoint, on
    whatever data it goes on.
    """

    def __init__(self, parameters, constants, path, rate, decay, seconds, positions, keep_every=60):
        for each in parameters.values():
            each.requires_grad_(True)
        self.constants = constants
        self.parameters, self.path, self.rate, self.keep_every = parameters, path, rate, keep_every
        matrices = [p for p in parameters.values() if p.ndim == 2]
        rest = [p for p in parameters.values() if p.ndim != 2]
        groups = [{"params": matrices, "weight_decay": decay}, {"params": rest, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.95), fused=True)
        self.seconds, self.positions = seconds, positions
        self.step = self.seen = self.epoch = self.batch = 0
        self.spent = self.best = 0.0
        self._kept = 0.0
        if os.path.exists(path):
            self._resume()

    def _resume(self):
        saved = torch.load(self.path, weights_only=True)
        for name, value in saved["parameters"].items():
            self.parameters[name].data.copy_(value)
        for name, value in saved["constants"].items():
            self.constants[name].copy_(value)
        self.optimiser.load_state_dict(saved["optimiser"])
        self.step, self.seen = saved["step"], saved["seen"]
        self.epoch, self.batch = saved["epoch"], saved["batch"]
        self.spent, self.best = saved["spent"], saved["best"]
        self._kept = self.spent
        self.seconds += self.spent
        print(f"goes on at step {self.step}, after {self.seen} positions in {self.spent:.0f} s", flush=True)

    @property
    def done(self):
        """How much of the run lies behind, 0 to 1: of its positions or of its time, whichever is more."""
        return max(self.seen / self.positions, self.spent / self.seconds)

    def batches(self, epoch_of):
        """Batches until the run is done; a resumed one goes on in the middle of its epoch. epoch_of(n): epoch n's."""
        while True:
            for number, batch in enumerate(epoch_of(self.epoch)):
                if number < self.batch:
                    continue
                if self.done >= 1:
                    return
                yield batch
                self.batch = number + 1
            self.epoch, self.batch = self.epoch + 1, 0

    def learn(self, loss, positions, began):
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(self.parameters.values()), 1.0)
        falling = 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * min(1.0, self.done)))
        rate = self.rate * min(1.0, (self.step + 1) / 40) * falling
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.step()
        self.step += 1
        self.seen += positions
        self.spent += time.monotonic() - began

    def keep(self, now=False):
        """Saves a checkpoint, whole or not at all, when the last is old enough."""
        if now or self.spent - self._kept > self.keep_every:
            part = str(self.path) + ".part"
            torch.save(
                {
                    "parameters": {k: v.detach() for k, v in self.parameters.items()},
                    "constants": self.constants,
                    "optimiser": self.optimiser.state_dict(),
                    "step": self.step,
                    "seen": self.seen,
                    "epoch": self.epoch,
                    "batch": self.batch,
                    "spent": self.spent,
                    "best": self.best,
                },
                part,
            )
            os.replace(part, self.path)
            self._kept = self.spent


def learn(run, trainer, options, write):
    """Trains to the end, reporting on held-out dialogues as it goes; write() keeps what has become better."""

    def report(losses):
        with products():
            accepted, steps = trainer.accepted()
        loss = " ".join(f"{v:.2f}" for v in np.mean(losses, 0)) if losses else "–"
        rate = run.seen / run.spent if run.spent else 0
        print(
            f"step {run.step}, {run.spent:.0f} s, {run.seen} positions ({run.done:.0%}, {rate:.0f} a second), "
            f"loss {loss}; held out: {accepted:.3f} accepted a pass (right by step: {steps})",
            flush=True,
        )
        if accepted > run.best:
            run.best = accepted
            write()

    losses, reported = [], run.spent
    if run.step == 0:
        report(losses)
    epoch = lambda n: dialogues.batches(trainer.learnt, options.batch, np.random.default_rng(n))
    for group in run.batches(epoch):
        began = time.monotonic()
        with products():
            loss, parts, positions = trainer.loss(trainer.batch(group))
        run.learn(loss, positions, began)
        losses = losses[-40:] + [parts]
        run.keep()
        if run.spent - reported > options.report_every:
            report(losses)
            reported = run.spent
    report(losses)
    run.keep(now=True)
    print(f"done: {run.best:.3f} accepted a pass at best", flush=True)
