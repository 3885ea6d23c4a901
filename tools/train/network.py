"""The feature drafter: one pre-norm transformer layer on a target's features, and its exact unrolling for training.

Index t combines the embedding of token t+1 with a condition and predicts token t+2. The condition comes from the
target's features at t where the target has run, and from the drafter's own output at t-1 after that. Features are
standardised and clipped: a few channels of a residual stream are a hundred times larger than the rest.
"""

from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F

EPSILON = 1e-5


@dataclass(frozen=True)
class Shape:
    target_width: int
    layers: tuple
    width: int
    heads: int
    kv_heads: int
    head_size: int
    feed_forward: int
    vocabulary: int
    rope_base: float = 10000.0
    clip: float = 6.0

    @property
    def features(self):
        return self.target_width * len(self.layers)

    def weights(self):
        d, q, kv = self.width, self.heads * self.head_size, self.kv_heads * self.head_size
        return {
            "condition.weight": (d, self.features),
            "condition.bias": (d,),
            "carry.weight": (d, d),
            "token.weight": (d, self.target_width),
            "attn_norm.weight": (d,),
            "attn_q.weight": (q, d),
            "attn_k.weight": (kv, d),
            "attn_v.weight": (kv, d),
            "attn_output.weight": (d, q),
            "ffn_norm.weight": (d,),
            "ffn_gate.weight": (self.feed_forward, d),
            "ffn_up.weight": (self.feed_forward, d),
            "ffn_down.weight": (d, self.feed_forward),
            "output_norm.weight": (d,),
            "output.weight": (self.vocabulary, d),
        }

    def as_dict(self):
        return asdict(self)


def rms(x, weight=None):
    return F.rms_norm(x.float(), x.shape[-1:], weight, EPSILON)


def standardised(shape, x, mean, deviation):
    return ((x.float() - mean) / deviation).clamp(-shape.clip, shape.clip)


def initial(shape, readout, sample, generator):
    """Parameters that begin in the target's own readout space.

    readout [V', H]: the target's rows of the reduced vocabulary, its final norm folded in; sample [n, W]: standardised
    features. The width is the best-explained subspace of the readout; embedding and last features start as projections
    into it, and the layer itself as a small addition.
    """
    normal = lambda rows, columns, scale: torch.randn(rows, columns, generator=generator) * scale * columns**-0.5
    _, vectors = torch.linalg.eigh(readout.T @ readout)
    basis = vectors[:, -shape.width :].flip(1)
    d, h = shape.width, shape.target_width
    p = {name: torch.ones(size) for name, size in shape.weights().items() if name.endswith("norm.weight")}
    p["output.weight"] = readout @ basis
    p["output.weight"] *= 0.5 / p["output.weight"].pow(2).sum(-1).mean().sqrt()
    p["token.weight"] = 0.5 * basis.T.contiguous()
    last = torch.zeros(d, shape.features)
    last[:, -h:] = basis.T
    last *= 0.5 / (sample @ last.T).pow(2).mean().sqrt()
    p["condition.weight"] = last + normal(d, shape.features, 0.1)
    p["condition.bias"] = torch.zeros(d)
    p["carry.weight"] = torch.eye(d)
    for name in ("attn_q", "attn_k", "attn_v", "ffn_gate", "ffn_up"):
        p[name + ".weight"] = normal(*shape.weights()[name + ".weight"], 1.0)
    for name in ("attn_output", "ffn_down"):
        p[name + ".weight"] = normal(*shape.weights()[name + ".weight"], 0.1)
    return p


class Rope:
    """Rotates the halves of each head against each other."""

    def __init__(self, shape, positions):
        half = torch.arange(0, shape.head_size, 2).float() / shape.head_size
        angles = torch.arange(positions)[:, None] / shape.rope_base**half
        self.cos, self.sin = angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)

    def __call__(self, x, positions):
        half = x.shape[-1] // 2
        cos, sin = self.cos[positions].unsqueeze(-2), self.sin[positions].unsqueeze(-2)
        return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


def projections(p, shape, rope, x, positions):
    h = rms(x, p["attn_norm.weight"])
    split = lambda name, heads: F.linear(h, p[name]).unflatten(-1, (heads, shape.head_size))
    q, k = split("attn_q.weight", shape.heads), split("attn_k.weight", shape.kv_heads)
    return rope(q, positions), rope(k, positions), split("attn_v.weight", shape.kv_heads)


def feed_forward(p, x, attended):
    x = x + F.linear(attended.flatten(-2), p["attn_output.weight"])
    h = rms(x, p["ffn_norm.weight"])
    gated = F.silu(F.linear(h, p["ffn_gate.weight"])) * F.linear(h, p["ffn_up.weight"])
    return x + F.linear(gated, p["ffn_down.weight"])


def attend(shape, q, keys, values, visible, own):
    """q [B, m, heads, hs] sees the keys [B, L, kv, hs] that `visible` [B or 1, m, L] says, and its own later ones.

    own: pairs of key and value [B, m, kv, hs], one for each later draft step.
    """
    group = shape.heads // shape.kv_heads
    q = q.unflatten(2, (shape.kv_heads, group)).permute(0, 2, 3, 1, 4)
    scale = shape.head_size**-0.5
    k, v = keys.transpose(1, 2).unsqueeze(2), values.transpose(1, 2).unsqueeze(2)
    scores = (q @ k.transpose(-1, -2)) * scale
    scores = scores.masked_fill(~visible[:, None, None], float("-inf"))
    later = [(q * k2.transpose(1, 2).unsqueeze(2)).sum(-1, keepdim=True) * scale for k2, _ in own]
    chances = torch.cat([scores, *later], -1).softmax(-1)
    length = keys.shape[1]
    out = chances[..., :length] @ v
    for j, (_, v2) in enumerate(own):
        out = out + chances[..., length + j : length + j + 1] * v2.transpose(1, 2).unsqueeze(2)
    return out.permute(0, 3, 1, 2, 4).flatten(2, 3)


def unrolled(p, shape, rope, embedded, conditions, anchors, steps):
    """Outputs of the draft steps, as drafting computes them.

    embedded [B, L, D]: token.weight times the embedding of token t+1 at index t; conditions [B, L, D]; anchors [B, m].
    The first step is at every index t, the later ones only at anchor + step. Result: [B, L, D], then [B, m, D] a step.
    """
    length = embedded.shape[1]
    everywhere = torch.arange(length)
    x = embedded + conditions
    q, keys, values = projections(p, shape, rope, x, everywhere)
    visible = everywhere[None, None, :] <= everywhere[None, :, None]
    outputs = [feed_forward(p, x, attend(shape, q, keys, values, visible, []))]
    pick = lambda t, at: t.gather(1, at[..., None].expand(-1, -1, t.shape[-1]))
    last = pick(outputs[0], anchors)
    visible = everywhere[None, None, :] <= anchors[:, :, None]
    own = []
    for step in range(1, steps):
        at = (anchors + step).clamp(max=length - 1)
        x = pick(embedded, at) + F.linear(rms(last), p["carry.weight"])
        q, k, v = projections(p, shape, rope, x, at)
        own.append((k, v))
        last = feed_forward(p, x, attend(shape, q, keys, values, visible, own))
        outputs.append(last)
    return outputs
