"""Attention with several heads, as in a decoder that keeps what it has read already."""

import math

import torch
from torch import nn

from annotest import anys, arg, bools, floats, ints, require, tensors


@arg(x=tensors("b n d"), heads=ints(1, 4))
@require("d % heads == 0")
def split_heads(x, heads):
    """Give each head its share of the features: (b, n, d) becomes (b, heads, n, d / heads)."""
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


@arg(x=tensors("b heads n d"))
def merge_heads(x):
    """Put the shares of the heads side by side again."""
    return x.transpose(1, 2).flatten(2)


@arg(queries=ints(1, 16), keys=ints(1, 16))
@require("queries <= keys")
def causal_mask(queries, keys):
    """Say which keys each query may see: the last query sees all of them, those before it fewer."""
    return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)


class Attention(nn.Module):
    """Attends to the tokens so far: those of `past`, if there are any, and those that are new."""

    @arg(width=ints(1, 24), heads=ints(1, 4))
    @arg(dropout=floats(0, 1, exclude_max=True))
    @require("width % heads == 0")
    def __init__(self, width, heads, dropout=0.0):
        super().__init__()
        self.width, self.heads = width, heads
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.out = nn.Linear(width, width)
        self.dropout = nn.Dropout(dropout)

    @arg(x=tensors("b n self.width"), causal=bools())
    @arg(past=anys(None, tensors("b m self.width")))
    def forward(self, x, past=None, causal=False):
        """Return what each new token has gathered from all tokens so far."""
        tokens = x if past is None else torch.cat([past, x], dim=1)
        keys, values = self.key_value(tokens).chunk(2, dim=-1)
        query = split_heads(self.query(x), self.heads)
        keys, values = split_heads(keys, self.heads), split_heads(values, self.heads)

        scores = query @ keys.mT / math.sqrt(query.shape[-1])
        if causal:
            # Planted bug: there are keys of the past too. Right: tokens.shape[1] for the second.
            # One new token at a time, as in generation, hides it: a mask of one element fits all
            mask = causal_mask(x.shape[1], x.shape[1])
            scores = scores.masked_fill(~mask, -math.inf)
        weights = self.dropout(scores.softmax(dim=-1))
        return self.out(merge_heads(weights @ values))


class Block(nn.Module):
    """Attention and a small network, each with a way around it."""

    @arg(heads=ints(1, 4), share=ints(1, 6), expansion=ints(1, 4))
    def __init__(self, heads, share, expansion=4):
        super().__init__()
        self.width = heads * share
        self.before_attention = nn.LayerNorm(self.width)
        self.attention = Attention(self.width, heads)
        self.mlp = nn.Sequential(
            nn.LayerNorm(self.width),
            nn.Linear(self.width, expansion * self.width),
            nn.GELU(),
            nn.Linear(expansion * self.width, self.width),
        )

    @arg(x=tensors("b n self.width"))
    def forward(self, x):
        """Return the tokens, each with what it has learned from those before it."""
        x = x + self.attention(self.before_attention(x), causal=True)
        return x + self.mlp(x)
