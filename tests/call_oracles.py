"""Programs that the oracles of calls must tell apart: of each oracle, wrong ones and right ones."""

import itertools
import random

import torch
import torch.nn.functional as F
from torch import nn

from annotest import (
    anys,
    arg,
    batch_independent,
    bools,
    deterministic,
    differentiable,
    ensure,
    eval_is_stable,
    floats,
    froms,
    generator,
    ints,
    lists,
    masks,
    modes,
    objs,
    pure,
    require,
    round_trips,
    sound_module,
    tensors,
)

calls = itertools.count()
chance = random.SystemRandom()
seen = {}


# deterministic


@arg(x=tensors("b d"))
@ensure(deterministic)
def wrong_noise(x):
    return x + chance.random()


@arg(x=tensors("b d", requires_grad=True), n=ints(0, 9))
@ensure(deterministic)
def wrong_count(x, n):
    return {"x": x, "calls": next(calls) if n > 6 else n}


class WrongOrder(nn.Module):
    @arg(x=tensors("b d", "float16"))
    @ensure(deterministic)
    def forward(self, x):
        order = sorted(range(x.shape[1]), key=lambda _: chance.random())
        return x[:, order], x.sum()


class RightDropout(nn.Module):
    @arg(x=tensors("b d"))
    @ensure(deterministic)
    def forward(self, x):
        return F.dropout(x, 0.5, self.training) + torch.rand(x.shape) + random.random()


@arg(x=tensors("b d", froms(["float16", "bfloat16", "float32"]), min=-1, max=1))
@ensure(deterministic, pure)
def right_ties(x):
    return x.round().argsort(), x.sort(stable=False), x.round().topk(1)


class RightRecurrent(nn.Module):
    @arg(kind=froms([nn.LSTM, nn.GRU]), d=ints(1, 4), h=ints(1, 4))
    def __init__(self, kind, d, h):
        super().__init__()
        self.cell, self.d = kind(d, h, batch_first=True, dropout=0.5, num_layers=2), d

    @arg(x=tensors("b t self.d"))
    @ensure(deterministic, pure, differentiable, eval_is_stable, batch_independent, round_trips)
    def forward(self, x):
        return self.cell(x)


@arg(x=tensors("b d", "complex64"))
@ensure(deterministic, pure, batch_independent)
def right_complex(x):
    return torch.fft.fft(x), x.abs(), (x * x.conj()).real.sum(1)


@arg(n=ints(0, 9), rate=floats())
@ensure(deterministic)
def right_items(n, rate):
    for _ in range(n):
        yield rate * random.random()


# pure


@arg(x=tensors("b d"))
@ensure(pure)
def wrong_clamp(x):
    return x.clamp_(-1, 1)


@arg(sizes=lists(ints(0, 9), max_len=5), x=tensors("b d", requires_grad=True))
@ensure(pure)
def wrong_sort(sizes, x):
    sizes.sort()
    x.data[0] = 0
    return x


class WrongDecay(nn.Module):
    @arg(d=ints(1, 4))
    def __init__(self, d):
        super().__init__()
        self.d, self.weight = d, nn.Parameter(torch.ones(d))

    @arg(x=tensors("b self.d"))
    @ensure(pure)
    def forward(self, x):
        self.weight.data *= 0.9
        return x * self.weight


@arg(x=tensors("b d"), sizes=lists(ints(0, 9), max_len=5))
@ensure(pure)
def right_copy(x, sizes):
    sizes = sorted(sizes)
    x = x.clone()
    x += 1
    return x, sizes


@arg(x=tensors("b d", requires_grad=True))
@ensure(pure, differentiable)
def right_leaf(x):
    with torch.no_grad():
        y = x.clone()
    y += 1
    return x * y.requires_grad_()


class RightNorm(nn.Module):
    @arg(d=ints(1, 4), affine=bools())
    def __init__(self, d, affine):
        super().__init__()
        self.d, self.norm = d, nn.BatchNorm1d(d, affine=affine)

    @arg(x=tensors("b self.d"))
    @require("len(x) > 1")
    @ensure(pure, batch_independent, differentiable, round_trips, eval_is_stable)
    def forward(self, x):
        return self.norm(x)


class RightMode(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    @arg(x=tensors("b 3"))
    @ensure(pure)
    def forward(self, x):
        self.train()
        return x * self.weight


# differentiable


class WrongDetach(nn.Module):
    @arg(d=ints(1, 4))
    def __init__(self, d):
        super().__init__()
        self.d, self.first, self.last = d, nn.Linear(d, 3), nn.Linear(3, 2)

    @arg(x=tensors("b self.d"))
    @ensure(differentiable)
    def forward(self, x):
        return self.last(self.first(x).detach())


@arg(x=tensors("b d", requires_grad=True))
@ensure(differentiable)
def wrong_root(x):
    return (x * x).sum(1).sqrt()


@arg(x=tensors("b d", requires_grad=True, min=-10, max=10))
@ensure(differentiable)
def wrong_where(x):
    return torch.where(x > 0, x.log(), 0 * x)


@arg(x=tensors("b d", requires_grad=True), scale=tensors("d", requires_grad=True))
@ensure(differentiable)
def wrong_overwritten(x, scale):
    y = (x * scale).exp().clamp(max=10)
    z = y * y
    y += 1
    return z


@arg(x=tensors("b d", requires_grad=True))
@ensure(differentiable)
def wrong_rounded(x):
    return x.argmax(1)


@arg(x=tensors("b d", requires_grad=True))
@ensure(differentiable)
def right_norm(x):
    return x.norm(dim=1), x.argmax(1), x.detach().abs().log1p()


@arg(x=tensors("b d", froms(["float16", "float32"]), requires_grad=True))
@ensure(differentiable, deterministic, pure)
def right_equal_logits(x):
    return F.softmax(torch.zeros_like(x) * x, dim=1)


class RightEmbedding(nn.Module):
    @arg(count=ints(1, 9))
    def __init__(self, count):
        super().__init__()
        self.count, self.rows = count, nn.Embedding(count, 3, padding_idx=0)
        self.rows.weight.data[0] = 0
        self.frozen = nn.Parameter(torch.ones(3), requires_grad=False)

    @arg(words=tensors("b t", "int64", min=0, max="self.count-1"))
    @ensure(differentiable, batch_independent, round_trips, eval_is_stable, pure)
    def forward(self, words):
        return self.rows(words) * self.frozen


# batch_independent


@arg(x=tensors("b d"))
@ensure(batch_independent)
def wrong_mean(x):
    return x - x.mean(0)


class WrongFirst(nn.Module):
    @arg(d=ints(1, 4))
    def __init__(self, d):
        super().__init__()
        self.d, self.cell = d, nn.LSTM(d, 3)  # batch_first is missing

    @arg(x=tensors("b t self.d"))
    @ensure(batch_independent)
    def forward(self, x):
        return self.cell(x)[0]


@arg(x=tensors("d b"), lengths=tensors("b", "int64", min=0, max="d"), b=ints(1, 8))
@ensure(batch_independent(1))
def wrong_longest(x, lengths, b):
    return x * (torch.arange(len(x))[:, None] < lengths.max()).expand(-1, b)


@arg(x=tensors("b d"))
@ensure(batch_independent)
def wrong_softmax(x):
    return F.softmax(x, dim=0)


class RightAttention(nn.Module):
    @arg(heads=ints(1, 2))
    def __init__(self, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(4, heads, dropout=0.3, batch_first=True)

    @arg(x=tensors("b t 4"), mask=anys(None, masks("t t")), padding=anys(None, masks("b t")))
    @require("mask is None or padding is None")
    @require("mask is None or not mask.all(-1).any()")
    @ensure(batch_independent, deterministic, eval_is_stable, round_trips, pure)
    def forward(self, x, mask, padding):
        return self.attention(x, x, x, key_padding_mask=padding, attn_mask=mask)


@arg(x=tensors("b d", froms(["float16", "float32"])), w=tensors("d h"), b=ints(2, 8))
@ensure(batch_independent, deterministic, pure)
def right_layers(x, w, b):
    y = F.layer_norm(x.float() @ w, w.shape[1:])
    assert y.shape[0] == b
    return {"y": F.softmax(y @ y.new_ones(w.T.shape) * 1000, dim=1), "loss": y.sum(), "b": b}


class RightParts(nn.Module):
    @arg(items=tensors("n n"), scale=floats(-2, 2))
    @ensure(batch_independent, deterministic, eval_is_stable, differentiable, round_trips)
    def forward(self, items, scale):
        return [items.sum(1) * scale, items[:1]]


@arg(x=tensors("b d"))
@ensure(batch_independent)
def right_random(x):
    return F.dropout(x, 0.5)


# eval_is_stable


class WrongDropout(nn.Module):
    @arg(x=tensors("b d"))
    @ensure(eval_is_stable)
    def forward(self, x):
        return F.dropout(x, 0.5)


class WrongGrowth(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))

    @arg(x=tensors("b d"))
    @ensure(eval_is_stable)
    def forward(self, x):
        self.count += 1
        return x, self.count


class WrongMean(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = None

    @arg(x=tensors("b d"))
    @ensure(eval_is_stable)
    def forward(self, x):
        self.mean = x if self.mean is None else 0.9 * self.mean + 1
        return x - self.mean


class RightCounter(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls, self.drop = 0, nn.Dropout()

    @arg(x=tensors("b d"))
    @ensure(eval_is_stable, batch_independent, round_trips)
    def forward(self, x):
        self.calls += 1
        return self.drop(x)


class RightNoise(nn.Module):
    @arg(x=tensors("b d"))
    @ensure(eval_is_stable, round_trips, deterministic)
    @modes("train", "eval")
    def forward(self, x):
        return x + torch.randn(x.shape) if self.training else x


@generator
def noise():
    return torch.rand(3)


class RightGenerated(nn.Module):
    @arg(x=objs(noise))
    @ensure(eval_is_stable, deterministic, round_trips, batch_independent)
    def forward(self, x):
        return F.dropout(x, training=self.training)


# round_trips


class WrongBuffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.rand(())

    @arg(x=tensors("b d"))
    @ensure(round_trips)
    def forward(self, x):
        return x * self.scale


class WrongList(nn.Module):
    @arg(d=ints(1, 4))
    def __init__(self, d):
        super().__init__()
        self.d, self.parts = d, [nn.Linear(d, 3), nn.Linear(3, 3)]

    @arg(x=tensors("b self.d"))
    @ensure(round_trips)
    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


class WrongCopy(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def __setstate__(self, state):
        super().__setstate__(state)
        self.scale = 1.0

    @arg(x=tensors("b d"))
    @ensure(round_trips)
    def forward(self, x):
        return x * self.scale


class WrongLambda(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.act = nn.LazyLinear(3), lambda x: x.relu()

    @arg(x=tensors("b d"))
    @ensure(round_trips)
    def forward(self, x):
        return self.act(x)


class RightTied(nn.Module):
    @arg(d=ints(1, 4))
    def __init__(self, d):
        super().__init__()
        self.d, self.there, self.back = d, nn.Linear(d, d), nn.Linear(d, d)
        self.back.weight = self.there.weight
        self.register_buffer("steps", torch.arange(d), persistent=False)

    @arg(x=tensors("b self.d"))
    @ensure(round_trips, deterministic, differentiable, batch_independent)
    def forward(self, x):
        return self.back(F.dropout(self.there(x), 0.5, self.training)) + self.steps


class RightPlain:
    @arg(rate=floats(0, 1))
    def __init__(self, rate):
        self.rate, self.parts = rate, [torch.ones(3)]

    @arg(x=tensors("b 3"))
    @ensure(round_trips, deterministic, pure)
    def apply(self, x):
        return x * self.rate + self.parts[0]


class RightLazy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.LazyLinear(2)

    @arg(x=tensors("b d", requires_grad=True))
    @ensure(round_trips, deterministic, differentiable, batch_independent)
    def forward(self, x):
        return self.layer(x)


# sound_module


@ensure(sound_module)
class Sound(nn.Module):
    @arg(d=ints(1, 4))
    def __init__(self, d):
        super().__init__()
        self.d, self.layer, self.norm = d, nn.Linear(d, 3), nn.BatchNorm1d(3)
        self.act = lambda x: x.relu()  # cannot be pickled

    @arg(x=tensors("b self.d"))
    @require("len(x) > 1")
    def forward(self, x):
        if not self.training:
            with torch.no_grad():
                return self.norm(self.encode(x))
        return self.norm(F.dropout(self.encode(x)))

    @arg(x=tensors("b self.d"))
    def encode(self, x):
        return self.act(self.layer(x))


@ensure(sound_module)
class Unsound(nn.Module):
    @arg(d=ints(1, 4))
    def __init__(self, d):
        super().__init__()
        self.d, self.unused, self.scale = d, nn.Linear(d, 3), torch.rand(())

    @arg(x=tensors("b self.d"))
    def forward(self, x):
        y = F.dropout(self.scale * (x - x.mean(0)))
        x.clamp_(-1, 1)
        return y + self.unused.weight[0] + chance.random()


class Excepted(nn.Module):
    @arg(x=tensors("b d"))
    @ensure(sound_module(except_=("batch_independent", "eval_is_stable")))
    def forward(self, x):
        return x - x.mean(0) + torch.rand(())


@arg(x=tensors("b d"))
@ensure(sound_module)
def sound_function(x):
    return (x - x.mean(0)).argmax(1)


# the name of each wrong program, with the oracle that says so
WRONG = {
    "wrong_noise": "deterministic",
    "wrong_count": "deterministic",
    "WrongOrder.forward": "deterministic",
    "wrong_clamp": "pure",
    "wrong_sort": "pure",
    "WrongDecay.forward": "pure",
    "WrongDetach.forward": "differentiable",
    "wrong_root": "differentiable",
    "wrong_where": "differentiable",
    "wrong_overwritten": "differentiable",
    "wrong_rounded": "differentiable",
    "wrong_mean": "batch_independent",
    "WrongFirst.forward": "batch_independent",
    "wrong_longest": "batch_independent",
    "wrong_softmax": "batch_independent",
    "WrongDropout.forward": "eval_is_stable",
    "WrongGrowth.forward": "eval_is_stable",
    "WrongMean.forward": "eval_is_stable",
    "WrongBuffer.forward": "round_trips",
    "WrongList.forward": "round_trips",
    "WrongCopy.forward": "round_trips",
    "WrongLambda.forward": "round_trips",
}
RIGHT = [
    "RightDropout.forward",
    "right_ties",
    "RightRecurrent.forward",
    "right_complex",
    "right_items",
    "right_copy",
    "right_leaf",
    "RightNorm.forward",
    "RightMode.forward",
    "right_norm",
    "right_equal_logits",
    "RightEmbedding.forward",
    "RightAttention.forward",
    "right_layers",
    "RightParts.forward",
    "right_random",
    "RightCounter.forward",
    "RightNoise.forward",
    "RightGenerated.forward",
    "Sound.forward",
    "Sound.encode",
    "sound_function",
    "Excepted.forward",
    "RightTied.forward",
    "RightPlain.apply",
    "RightLazy.forward",
]
