"""einops as models use it; each result has the shape that its pattern says.

A comment `# twin:` is the line above it with a mistake, as it stands in the copy that must be found.
"""

from einops import einsum, pack, rearrange, reduce, repeat, unpack
from einops.layers.torch import EinMix, Rearrange, Reduce
from torch import nn


def split_heads(x, heads):
    out = rearrange(x, "b n (h d) -> b h n d", h=heads)
    # twin: out = rearrange(x, "b n (h d) -> b h n d", d=heads)
    b, n, width = x.shape
    assert out.shape == (b, heads, n, width // heads)
    return out


def patches(images, p):
    out = rearrange(images, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=p, p2=p)
    # twin: out = rearrange(images, "b c (h p1) (w p2) -> b (h p1) (w p2 c)", p1=p, p2=p)
    b, c, height, width = images.shape
    assert out.shape == (b, height * width // p**2, p * p * c)
    return out


def pooled(x, size, reduction):
    out = reduce(x, "b c (h h2) (w w2) -> b c h w", reduction, h2=size, w2=size)
    # twin: out = reduce(x, "b c (h h2) (w w2) -> b c h w", reduction, h=size, w=size)
    assert out.shape == (*x.shape[:2], x.shape[2] // size, x.shape[3] // size)
    return out


def global_pooled(x, reduction):
    out = reduce(x, "b c ... -> b c", reduction)
    # twin: out = reduce(x, "b c h w -> b c", reduction)
    assert out.shape == x.shape[:2]
    return out


def class_tokens(token, images):
    out = repeat(token, "1 1 d -> b 1 d", b=len(images))
    # twin: out = repeat(token, "1 1 d -> b 1 d", b=images.shape[-1])
    assert out.shape == (len(images), 1, token.shape[-1])
    return out


def packed(tokens, images):
    together, shapes = pack([tokens, images], "b * d")
    # twin: together, shapes = pack([tokens, images], "b d *")
    assert together.shape[1] == tokens.shape[1] + images[0, ..., 0].numel()
    for one, before in zip(unpack(together, shapes, "b * d"), (tokens, images)):
        assert one.shape == before.shape
    return together


def scores(query, key):
    out = einsum(query, key, "b h i d, b h j d -> b h i j")
    # twin: out = einsum(query, key, "b h i d, b h j d -> b h j i")
    assert out.shape == (*query.shape[:-1], key.shape[2])
    return out


class Patches(nn.Sequential):
    def __init__(self, channels, width, p):
        super().__init__(
            Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=p, p2=p),
            # twin: Rearrange("b c (h p1) (w p2) -> b (p1 p2) (h w c)", p1=p, p2=p),
            nn.Linear(p * p * channels, width),
            Reduce("b n d -> b d", "mean"),
        )
        self.channels, self.width, self.p = channels, width, p

    def forward(self, images):
        out = super().forward(images)
        assert out.shape == (len(images), self.width)
        return out


class Mixed(nn.Module):
    def __init__(self, tokens, width, made):
        super().__init__()
        self.mix = EinMix("b t w -> b m w", "t m", bias_shape="m", t=tokens, m=made)
        # twin: self.mix = EinMix("b t w -> b m w", "t m", t=tokens, m=tokens)
        self.tokens, self.width, self.made = tokens, width, made

    def forward(self, x):
        out = self.mix(x)
        assert out.shape == (len(x), self.made, self.width)
        return out
