"""A module of torch, and what its calls promise."""

import torch

from annotest import *


@ensure("self.size > 0")
@ensure(sound_module(except_=("round_trips",)))
class Scale(torch.nn.Module):
    @arg(size=ints(1, 4))
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = torch.nn.Parameter(torch.ones(size))

    @arg(x=tensors("b self.size", min=-9, max=9))
    @ensure(deterministic, pure, differentiable, batch_independent, eval_is_stable, round_trips)
    @ensure(except_="finite")
    def forward(self, x):
        return x * self.weight
