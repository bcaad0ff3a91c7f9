"""Modules of torch.nn, which are sound: deterministic, pure, differentiable and more.

A comment `# twin:` is the line above it with a mistake, as it stands in the copy that must be found.
"""

import torch
import torch.nn.functional as F
from torch import nn

TORCH, DROPOUT = torch, F.dropout  # some twins need them


class Linear(nn.Linear):
    def forward(self, input):
        return super().forward(input)
        # twin: return super().forward(input - input.mean(0))


class Bilinear(nn.Bilinear):
    def forward(self, input1, input2):
        return super().forward(input1, input2)
        # twin: return super().forward(input1, input2.detach() * 0).detach()


class Conv1d(nn.Conv1d):
    def forward(self, input):
        return super().forward(input)
        # twin: return super().forward(input.relu_())


class Conv2d(nn.Conv2d):
    def forward(self, input):
        return super().forward(input)
        # twin: return F.dropout(super().forward(input))


class ConvTranspose2d(nn.ConvTranspose2d):
    def forward(self, input):
        return super().forward(input)
        # twin: self.weight.data.mul_(1.5); return super().forward(input)


class Embedding(nn.Embedding):
    def forward(self, input):
        return super().forward(input)
        # twin: return super().forward(input).detach()


class EmbeddingBag(nn.EmbeddingBag):
    def forward(self, input):
        return super().forward(input)
        # twin: return super().forward(input).flip(0)


class BatchNorm1d(nn.BatchNorm1d):
    def forward(self, input):
        return super().forward(input)
        # twin: return F.batch_norm(input, None, None, self.weight, self.bias, True)


class BatchNorm2d(nn.BatchNorm2d):
    def forward(self, input):
        return super().forward(input)
        # twin: return F.batch_norm(input, None, None, None, None, True)


class InstanceNorm1d(nn.InstanceNorm1d):
    def forward(self, input):
        return super().forward(input)
        # twin: return super().forward(input) + torch.rand(())


class LayerNorm(nn.LayerNorm):
    def forward(self, input):
        return super().forward(input)
        # twin: return (input - input.mean(-1, True)) / input.var(-1, keepdim=True).sqrt()


class GroupNorm(nn.GroupNorm):
    def forward(self, input):
        return super().forward(input)
        # twin: return super().forward(input) - input[-1:]


class RMSNorm(nn.RMSNorm):
    def forward(self, x):
        return super().forward(x)
        # twin: return F.rms_norm(x, x.shape[1:], self.weight.data)


class RNNCell(nn.RNNCell):
    def forward(self, input, hx=None):
        return super().forward(input, hx)
        # twin: self.bias_hh.data += 1; return super().forward(input, hx)


class LSTM(nn.LSTM):
    def forward(self, input):
        return super().forward(input)
        # twin: return super().forward(input.cumsum(1))


class GRU(nn.GRU):
    def forward(self, input):
        return super().forward(input)
        # twin: return [part.detach() for part in super().forward(input)]


class MultiheadAttention(nn.MultiheadAttention):
    def forward(self, query, key, value):
        return super().forward(query, key, value)
        # twin: self.train(); return super().forward(query, key, value)


class TransformerEncoderLayer(nn.TransformerEncoderLayer):
    def forward(self, src):
        return super().forward(src)
        # twin: return super().forward(src.flatten(0, 1)).view_as(src)


class TransformerDecoderLayer(nn.TransformerDecoderLayer):
    def forward(self, tgt, memory):
        return super().forward(tgt, memory)
        # twin: return super().forward(tgt, memory.cumsum(0))


class Dropout(nn.Dropout):
    def forward(self, input):
        return super().forward(input)
        # twin: return F.dropout(input, self.p)


class PReLU(nn.PReLU):
    def forward(self, input):
        return super().forward(input)
        # twin: return F.prelu(input, torch.rand_like(self.weight))


class Softmax(nn.Softmax):
    def forward(self, input):
        return super().forward(input)
        # twin: return input.softmax(0)


class LogSoftmax(nn.LogSoftmax):
    def forward(self, input):
        return super().forward(input)
        # twin: return input - input.logsumexp(0)


class GLU(nn.GLU):
    def forward(self, input):
        return super().forward(input)
        # twin: return super().forward(input.flip(0) - input)


class MaxPool2d(nn.MaxPool2d):
    def forward(self, input):
        return super().forward(input)
        # twin: return super().forward(input.flip(0) - input)


class AdaptiveAvgPool2d(nn.AdaptiveAvgPool2d):
    def forward(self, input):
        return super().forward(input)
        # twin: return super().forward(input).detach()


class Upsample(nn.Upsample):
    def forward(self, input):
        return super().forward(input)
        # twin: input.data.mul_(1.5); return super().forward(input)


class CosineSimilarity(nn.CosineSimilarity):
    def forward(self, x1, x2):
        return super().forward(x1, x2)
        # twin: return super().forward(x1, x2.mul_(2))
