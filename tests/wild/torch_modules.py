"""Modules of torch.nn; each result has the shape that the documentation says.

A comment `# twin:` is the line above it with a mistake, as it stands in the copy that must be found.
"""

import math

from torch import nn


class Linear(nn.Linear):
    def forward(self, input):
        out = super().forward(input)
        # twin: out = super().forward(input.mT).mT
        assert out.shape == (*input.shape[:-1], self.out_features)
        return out


class Conv2d(nn.Conv2d):
    def forward(self, input):
        out = super().forward(input)
        # twin: out = super().forward(input.mT)
        n, _, *sides = input.shape
        options = zip(sides, self.padding, self.dilation, self.kernel_size, self.stride)
        made = [(side + 2 * p - d * (k - 1) - 1) // s + 1 for side, p, d, k, s in options]
        assert out.shape == (n, self.out_channels, *made)
        return out


class ConvTranspose1d(nn.ConvTranspose1d):
    def forward(self, input, output_size=None):
        out = super().forward(input, output_size)
        # twin: out = super().forward(input)
        assert output_size is None or list(out.shape[2:]) == output_size
        assert out.shape[:2] == (len(input), self.out_channels)
        return out


class Embedding(nn.Embedding):
    def forward(self, input):
        out = super().forward(input)
        # twin: out = super().forward(input % (self.num_embeddings - 1))
        assert out.shape == (*input.shape, self.embedding_dim)
        return out


class BatchNorm1d(nn.BatchNorm1d):
    def forward(self, input):
        out = super().forward(input)
        # twin: out = super().forward(input.mT).mT
        assert out.shape == input.shape
        return out


class InstanceNorm2d(nn.InstanceNorm2d):
    def forward(self, input):
        out = super().forward(input)
        # twin: out = super().forward(input.flatten(2))
        assert out.shape == input.shape
        return out


class Flatten(nn.Flatten):
    def forward(self, input):
        out = super().forward(input)
        # twin: out = input.flatten(self.start_dim, self.end_dim - 1)
        start, end = self.start_dim, self.end_dim % input.ndim
        between = math.prod(input.shape[start : end + 1])
        assert out.shape == (*input.shape[:start], between, *input.shape[end + 1 :])
        return out


class MultiheadAttention(nn.MultiheadAttention):
    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None):
        options = key_padding_mask, need_weights, attn_mask
        out, weights = super().forward(query, key, value, *options)
        # twin: out, weights = super().forward(query, value, key, *options)
        assert out.shape == query.shape
        side = 1 if self.batch_first else 0
        n, length, keys = query.shape[1 - side], query.shape[side], key.shape[side]
        keys += (self.bias_k is not None) + self.add_zero_attn
        assert weights is None or weights.shape == (n, length, keys)
        return out, weights


class LSTM(nn.LSTM):
    def forward(self, input, hx=None):
        out, (h, c) = super().forward(input, hx)
        # twin: out, (c, h) = super().forward(input, hx)
        directions, made = 1 + self.bidirectional, self.proj_size or self.hidden_size
        assert out.shape == (*input.shape[:-1], directions * made)
        n = input.shape[0 if self.batch_first else 1]
        assert h.shape == (directions * self.num_layers, n, made)
        assert c.shape == (directions * self.num_layers, n, self.hidden_size)
        return out, (h, c)


class GRU(nn.GRU):
    def forward(self, input, hx=None):
        out, h = super().forward(input, hx)
        # twin: out, h = super().forward(input.transpose(0, 1), hx)
        directions = 1 + self.bidirectional
        assert out.shape == (*input.shape[:-1], directions * self.hidden_size)
        assert h.shape == (directions * self.num_layers, *input.shape[1:-1], self.hidden_size)
        return out, h


class TransformerEncoderLayer(nn.TransformerEncoderLayer):
    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        out = super().forward(src, src_mask, src_key_padding_mask, is_causal)
        # twin: out = super().forward(src, src_key_padding_mask, src_mask, is_causal)
        assert out.shape == src.shape
        return out


class PixelUnshuffle(nn.PixelUnshuffle):
    def forward(self, input):
        out = super().forward(input)
        # twin: out = nn.functional.pixel_shuffle(input, self.downscale_factor)
        r = self.downscale_factor
        *batch, channels, height, width = input.shape
        assert out.shape == (*batch, channels * r**2, height // r, width // r)
        return out


class TripletMarginLoss(nn.TripletMarginLoss):
    def forward(self, anchor, positive, negative):
        out = super().forward(anchor, positive, negative)
        # twin: out = super().forward(anchor, positive.mT, negative)
        assert out.shape == (anchor.shape[:-1] if self.reduction == "none" else ())
        return out
