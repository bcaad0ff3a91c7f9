"""Attention on torch tensors, and what stands around it: one of each way to say tensors."""

import torch

from annotest import (
    arg,
    dims,
    exclude,
    floats,
    froms,
    generator,
    ints,
    lists,
    np_shapes,
    objs,
    require,
    same,
    tensors,
)


@arg(q=tensors("b n d", min=-1, max=1), k=tensors("b m d", min=-1, max=1), heads=ints(1, 8))
@require("q.size(-1) % heads == 0")
@dims(d=ints(1, 32))
def scores(q, k, heads):
    b, n, d = q.shape
    q = q.reshape(b, n, heads, d // heads).transpose(1, 2)
    k = k.reshape(b, k.shape[1], heads, d // heads).transpose(1, 2)
    return q @ k.mT


@arg(images=tensors("b 3 h w", "uint8", layout="channels_last"))
def normalised(images):
    return images.float() / 255


@arg(x=tensors((8, 16), "bfloat16", min=0, max=1, requires_grad=True), rate=froms([0.0, 0.5]))
def dropped(x, rate):
    return torch.nn.functional.dropout(x, rate)


@arg(x=tensors((3, 4), elements=floats(0, 1, exclude_min=True, width=32), layout=["contiguous"]))
def logarithms(x):
    assert x.log().isfinite().all()


@arg(a=tensors("n k", same("T", of=["float32", "bfloat16"])), b=tensors("k m", same("T")))
def product(a, b):
    return a @ b


@arg(parts=lists(tensors("n d", min=0, max=1), min_len=1, max_len=3))
def joined(parts):
    return torch.cat(parts)


@arg(x=tensors(np_shapes(min_dims=1, max_dims=3)).map(torch.relu))
def halved(x):
    return x / 2


@generator
@exclude
@arg(edges=tensors("2 m", "int64", min=0, max=5))
def graphs(edges):
    return edges, 6


@arg(graph=objs(graphs))
def degrees(graph):
    return torch.bincount(graph[0][0], minlength=graph[1])


class Linear(torch.nn.Module):
    @arg(inputs=ints(1, 8), outputs=ints(1, 8))
    def __init__(self, inputs, outputs):
        super().__init__()
        self.inputs = inputs
        self.weight = torch.nn.Parameter(torch.zeros(outputs, inputs))

    @arg(x=tensors("b self.inputs", layout=["contiguous", "transposed"]))
    def forward(self, x):
        return x @ self.weight.mT
