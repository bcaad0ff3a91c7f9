"""Metrics of embeddings: does the neighbourhood of a sample have its label?"""

import torch
from torch.nn import functional as F

from annotest import arg, ints, tensors


@arg(x=tensors("n d", min=-100, max=100), y=tensors("m d", min=-100, max=100))
def distances(x, y):
    """Return how far each of some points is from each of some others."""
    return (x[:, None] - y[None]).square().sum(dim=-1).sqrt()


@arg(x=tensors("n d", min=-100, max=100), y=tensors("m d", min=-100, max=100))
def cosine_similarities(x, y):
    """Return the cosine of the angle between each of some vectors and each of some others."""
    return F.normalize(x, dim=-1) @ F.normalize(y, dim=-1).mT


@arg(embeddings=tensors("n d", min=-100, max=100))
@arg(labels=tensors("n", "int64", min=0, max=4), k=ints(1, 5))
def recall_at_k(embeddings, labels, k):
    """Return the share of samples that have one with their label among their k neighbours."""
    between = distances(embeddings, embeddings)
    # the nearest of all is the sample itself
    # Planted bug: few samples, such as the last batch of an epoch, have fewer neighbours than k.
    # Right: min(k + 1, len(labels))
    neighbours = between.topk(k + 1, largest=False).indices[:, 1:]
    return (labels[neighbours] == labels[:, None]).any(dim=1).float().mean().item()


@arg(embeddings=tensors("n d", min=-100, max=100))
@arg(labels=tensors("n", "int64", min=0, max=4))
def centroids(embeddings, labels):
    """Return the mean embedding of each of the five labels; zeros for a label without samples."""
    sums = torch.zeros(5, embeddings.shape[1]).index_add_(0, labels, embeddings)
    counts = labels.bincount(minlength=5).clamp(min=1)
    return sums / counts[:, None]


@arg(predicted=tensors("n", "int64", min=0, max=4), labels=tensors("n", "int64", min=0, max=4))
def confusion_matrix(predicted, labels):
    """Return how often each label (rows) was taken for each other one (columns)."""
    return (5 * labels + predicted).bincount(minlength=25).reshape(5, 5)


class RunningMean:
    """A mean over batches of any size."""

    def __init__(self):
        self.sum, self.count = 0.0, 0

    @arg(values=tensors("n", min=-1e6, max=1e6))
    def update(self, values):
        """Take in the values of one batch."""
        self.sum += values.sum().item()
        self.count += values.numel()

    def result(self):
        """Return the mean of all values so far; zero if there are none."""
        return self.sum / max(1, self.count)
