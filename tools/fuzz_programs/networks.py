"""The words for what neural networks take, for arrays and for tensors."""

from annotest import *


@arg(scores=np_arrays("float32", "b classes", min=-9, max=9), wanted=labels("b", "classes"))
@arg(mask=masks("b", kinds=["random", "causal"]), rng=rngs())
def loss(scores, wanted, mask, rng):
    return -scores[range(len(wanted)), wanted][mask].sum() + rng.normal()


@arg(tokens=token_ids("b? n", vocab=50, framework="numpy"), shares=probabilities("n 4"))
@arg(hot=one_hots("n", classes=3), scale=np_arrays("float32", broadcasts("shares")))
@require("n < 6 or b is None")
def mixed(tokens, shares, hot, scale):
    return (shares * scale).sum() + tokens.sum() + hot.argmax()


@arg(pictures=images("b 3 h w", dtype="uint8"), index=tensors("b", "int64", min=0, max="h-1"))
@dims(h=ints(1, 5))
def rows(pictures, index):
    return pictures[:, :, index[0]].float().mean()


class Net:
    @arg(x=tensors("b n", layout=["contiguous", "sliced"], requires_grad=True))
    @modes("train", "eval")
    def forward(self, x):
        return x.view(-1).sum()
