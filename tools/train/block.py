"""The block drafter (DFlash): a few layers that guess a whole block of tokens in one pass, with the target's own
embedding and readout.

A block is [last token, mask, mask, …] at positions p, p+1, …; its rows see each other both ways, and the target's
features of the tokens before p as keys and values. Row k tells token p+k. No row sees another block.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F

from network import Rope

EPSILON = 1e-6


@dataclass(frozen=True)
class Shape:
    hidden: int
    layers: tuple
    depth: int
    heads: int
    kv_heads: int
    head_size: int
    feed_forward: int
    block: int
    rope_base: float = 10000.0

    def weights(self):
        h, q, kv = self.hidden, self.heads * self.head_size, self.kv_heads * self.head_size
        sizes = {"context_projection": (h, h * len(self.layers)), "context_norm": (h,), "output_norm": (h,)}
        for i in range(self.depth):
            at = f"layers.{i}."
            sizes |= {
                at + "pre_mixer_norm": (h,),
                at + "query": (q, h),
                at + "key": (kv, h),
                at + "value": (kv, h),
                at + "query_norm": (self.head_size,),
                at + "key_norm": (self.head_size,),
                at + "out": (h, q),
                at + "pre_mlp_norm": (h,),
                at + "up": (self.feed_forward, h),
                at + "gate": (self.feed_forward, h),
                at + "down": (h, self.feed_forward),
            }
        return sizes


def rms(x, weight):
    return F.rms_norm(x.float(), x.shape[-1:], weight, EPSILON)


def initial(shape, norm, scale, generator):
    """norm [H]: the target's final norm; scale [W]: the features' root mean squares, for the projection."""
    p = {}
    for name, size in shape.weights().items():
        if len(size) == 1:
            p[name] = torch.ones(size)
        else:
            small = 0.1 if name.endswith(("out", "down")) else 1.0
            p[name] = torch.randn(size, generator=generator) * small * size[1] ** -0.5
    p["context_projection"] /= scale
    p["output_norm"] = norm.clone()
    return p


class Blocks:
    """Runs blocks below anchors of some dialogues side by side."""

    def __init__(self, p, shape, positions):
        self.p, self.shape = p, shape
        self.rope = Rope(shape, positions)

    def _split(self, x, name, heads):
        return F.linear(x, self.p[name]).unflatten(-1, (heads, self.shape.head_size))

    def __call__(self, features, rows, anchors):
        """features [B, L, W]; rows [B, m, k, H], embedded; anchors [B, m]: their positions. [B, m, k, H]."""
        p, s = self.p, self.shape
        batch, length = features.shape[:2]
        m, k = rows.shape[1:3]
        context = rms(F.linear(features.float(), p["context_projection"]), p["context_norm"])
        everywhere = torch.arange(length)
        at = anchors[:, :, None] + torch.arange(k)
        before = everywhere[None, None, :] < anchors[:, :, None]
        x = rows
        for i in range(s.depth):
            name = f"layers.{i}."
            h = rms(x, p[name + "pre_mixer_norm"])
            q = self.rope(rms(self._split(h, name + "query", s.heads), p[name + "query_norm"]), at)
            own_k = self.rope(rms(self._split(h, name + "key", s.kv_heads), p[name + "key_norm"]), at)
            own_v = self._split(h, name + "value", s.kv_heads)
            ctx_k = rms(self._split(context, name + "key", s.kv_heads), p[name + "key_norm"])
            ctx_k = self.rope(ctx_k, everywhere)
            ctx_v = self._split(context, name + "value", s.kv_heads)
            x = x + F.linear(self._attend(q, ctx_k, ctx_v, own_k, own_v, before).flatten(-2), p[name + "out"])
            h = rms(x, p[name + "pre_mlp_norm"])
            x = x + F.linear(F.silu(F.linear(h, p[name + "gate"])) * F.linear(h, p[name + "up"]), p[name + "down"])
        return rms(x, p["output_norm"])

    def _attend(self, q, ctx_k, ctx_v, own_k, own_v, before):
        """q, own [B, m, k, heads, hs]; ctx [B, L, kv, hs]; before [B, m, L]."""
        s = self.shape
        batch, m, k = q.shape[:3]
        length, group, scale = ctx_k.shape[1], s.heads // s.kv_heads, s.head_size**-0.5
        q = q.unflatten(3, (s.kv_heads, group)).permute(0, 3, 4, 1, 2, 5)  # B, kv, group, m, k, hs
        keys, values = (t.permute(0, 2, 1, 3) for t in (ctx_k, ctx_v))  # B, kv, L, hs
        flat = q.reshape(batch, s.kv_heads, group * m * k, s.head_size)
        far = (flat @ keys.transpose(-1, -2)).view(batch, s.kv_heads, group, m, k, length) * scale
        far = far.masked_fill(~before[:, None, None, :, None, :], float("-inf"))
        near_k, near_v = (t.permute(0, 3, 1, 2, 4).unsqueeze(2) for t in (own_k, own_v))  # B, kv, 1, m, k, hs
        near = (q @ near_k.transpose(-1, -2)) * scale
        chances = torch.cat([far, near], -1).softmax(-1)
        out = (chances[..., :length].reshape(batch, s.kv_heads, -1, length) @ values).view_as(q)
        out = out + chances[..., length:] @ near_v
        return out.permute(0, 3, 4, 1, 2, 5).flatten(3, 4)
