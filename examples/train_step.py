"""One step of training, in parts small enough for the memory, and what belongs around it."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from annotest import arg, exclude, floats, generator, ints, objs, require, tensors

FEATURES, CLASSES = 6, 3


@generator
@exclude
@arg(hidden=ints(1, 16))
def classifiers(hidden):
    """Return a small network."""
    return nn.Sequential(
        nn.Linear(FEATURES, hidden),
        nn.BatchNorm1d(hidden),
        nn.ReLU(),
        nn.Linear(hidden, CLASSES),
    )


@generator
@exclude
@arg(model=objs(classifiers), rate=floats(1e-4, 0.1), momentum=floats(0, 0.9))
def in_training(model, rate, momentum):
    """Return a network and what trains it."""
    return model, torch.optim.SGD(model.parameters(), lr=rate, momentum=momentum)


@arg("model, optimizer", objs(in_training))
@arg(x=tensors("n 6", min=-10, max=10), labels=tensors("n", "int64", min=0, max=CLASSES - 1))
@arg(micro_batch=ints(2, 8))
@require("n >= 2")
def train_step(model, optimizer, x, labels, micro_batch):
    """Learn from one batch, in parts whose gradients add up; return the mean loss."""
    model.train()
    optimizer.zero_grad()
    # Planted bug: the last part may be a single sample, and there is no variance of one.
    # Right: x.tensor_split(max(1, len(x) // micro_batch)), which makes parts of about one size
    parts = zip(x.split(micro_batch), labels.split(micro_batch), strict=True)
    total = 0.0
    for samples, wanted in parts:
        # where it shows: normalisation refuses such a part in training
        loss = F.cross_entropy(model(samples), wanted, reduction="sum") / len(x)
        loss.backward()
        total += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
    return total


@arg(model=objs(classifiers))
@arg(x=tensors("n 6", min=-10, max=10), labels=tensors("n", "int64", min=0, max=CLASSES - 1))
def accuracy(model, x, labels):
    """Return the share of samples that a network classifies as it should."""
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(dim=1) == labels).float().mean().item()


@arg(step=ints(0, 1000), warmup=ints(0, 100), total=ints(1, 1000))
@arg(peak=floats(1e-5, 1))
@require("warmup < total and step <= total")
def learning_rate(step, warmup, total, peak):
    """Rise to the peak during the warmup, then fall to zero along a cosine."""
    if step < warmup:
        return peak * (step + 1) / warmup
    done = (step - warmup) / (total - warmup)
    return peak * (1 + math.cos(math.pi * done)) / 2


@arg(x=tensors("n 6", min=-10, max=10), labels=tensors("n", "int64", min=0, max=CLASSES - 1))
@arg(smoothing=floats(0, 1))
def smoothed_targets(x, labels, smoothing):
    """Return labels as probabilities, some of which all other classes share."""
    one_hot = F.one_hot(labels, CLASSES).to(x.dtype)
    return one_hot * (1 - smoothing) + smoothing / CLASSES
