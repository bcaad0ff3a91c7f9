"""Functions of torch.nn.functional; each result has the shape that the documentation says.

A comment `# twin:` is the line above it with a mistake, as it stands in the copy that must be found.
"""

import math

import torch.nn.functional as F


def _convolved(size, kernel, stride, padding, dilation):
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    out = F.conv1d(input, weight, bias, stride, padding, dilation, groups)
    # twin: out = F.conv1d(input, weight, bias, stride, dilation, padding, groups)
    n, _, length = input.shape
    made = _convolved(length, weight.shape[2], stride, padding, dilation)
    assert out.shape == (n, weight.shape[0], made)
    return out


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    out = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    # twin: out = F.conv2d(input, weight, bias, stride, padding, dilation)
    n, _, *sides = input.shape
    kernel = weight.shape[2:]
    if padding != "same":
        padding = 0 if padding == "valid" else padding
        sides = [_convolved(*both, stride, padding, dilation) for both in zip(sides, kernel)]
    assert out.shape == (n, weight.shape[0], *sides)
    return out


def conv_transpose2d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    options = stride, padding, output_padding, groups, dilation
    # twin: options = stride, padding, output_padding, dilation, groups
    out = F.conv_transpose2d(input, weight, bias, *options)
    kernel = weight.shape[2:]
    sides = [
        (side - 1) * stride - 2 * padding + dilation * (k - 1) + output_padding + 1
        for side, k in zip(input.shape[2:], kernel)
    ]
    assert out.shape == (len(input), weight.shape[1] * groups, *sides)
    return out


def linear(input, weight, bias=None):
    out = F.linear(input, weight, bias)
    # twin: out = F.linear(input.reshape(-1, input.shape[-1]), weight, bias)
    assert out.shape == (*input.shape[:-1], *weight.shape[:-1])
    return out


def bilinear(input1, input2, weight, bias=None):
    out = F.bilinear(input1, input2, weight, bias)
    # twin: out = F.bilinear(input2, input1, weight, bias)
    assert out.shape == (*input1.shape[:-1], weight.shape[0])
    return out


def embedding(input, weight, padding_idx=None):
    out = F.embedding(input, weight, padding_idx)
    # twin: out = F.embedding(input + 1, weight, padding_idx)
    assert out.shape == (*input.shape, weight.shape[1])
    return out


def embedding_bag(input, weight, mode="mean"):
    out = F.embedding_bag(input, weight, mode=mode)
    # twin: out = F.embedding_bag(input.flatten(), weight, mode=mode)
    assert out.shape == (len(input), weight.shape[1])
    return out


def one_hot(tensor, num_classes=-1):
    out = F.one_hot(tensor, num_classes)
    # twin: out = F.one_hot(tensor, num_classes - 1)
    classes = tensor.max() + 1 if num_classes == -1 else num_classes
    assert out.shape == (*tensor.shape, classes)
    return out


def layer_norm(input, normalized_shape, weight=None, bias=None):
    out = F.layer_norm(input, normalized_shape, weight, bias)
    # twin: out = F.layer_norm(input, normalized_shape[::-1], weight, bias)
    assert out.shape == input.shape
    return out


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False):
    out = F.batch_norm(input, running_mean, running_var, weight, bias, training)
    # twin: out = F.batch_norm(input.mT, running_mean, running_var, weight, bias, training)
    assert out.shape == input.shape
    return out


def group_norm(input, num_groups, weight=None, bias=None):
    out = F.group_norm(input, num_groups, weight, bias)
    # twin: out = F.group_norm(input, input.shape[1] // num_groups + 1, weight, bias)
    assert out.shape == input.shape
    return out


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    out = F.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)
    # twin: out = F.max_pool2d(input, kernel_size, padding, stride, dilation, ceil_mode)
    stride = stride or kernel_size
    if not ceil_mode:
        sides = [_convolved(n, kernel_size, stride, padding, dilation) for n in input.shape[2:]]
        assert out.shape == (*input.shape[:2], *sides)
    return out


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False):
    out = F.avg_pool1d(input, kernel_size, stride, padding, ceil_mode)
    # twin: out = F.avg_pool1d(input, kernel_size, stride, kernel_size - padding, ceil_mode)
    stride = stride or kernel_size
    made = (input.shape[-1] + 2 * padding - kernel_size) / stride + 1
    last = math.ceil(made) if ceil_mode else math.floor(made)
    # a window that would begin in the right padding is left out
    last -= ceil_mode and (last - 1) * stride >= input.shape[-1] + padding
    assert out.shape == (*input.shape[:-1], last)
    return out


def adaptive_avg_pool2d(input, output_size):
    out = F.adaptive_avg_pool2d(input, output_size)
    # twin: out = F.avg_pool2d(input, [n // m for n, m in zip(input.shape[-2:], output_size)])
    assert out.shape == (*input.shape[:-2], *output_size)
    return out


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    out = F.interpolate(input, size, scale_factor, mode, align_corners)
    # twin: out = F.interpolate(input, size, scale_factor, "linear", align_corners)
    sides = size or [math.floor(side * scale_factor) for side in input.shape[2:]]
    assert out.shape == (*input.shape[:2], *sides)
    return out


def pad(input, pad, mode="constant", value=None):
    out = F.pad(input, pad, mode, value)
    # twin: out = F.pad(input, [n + 1 for n in pad], mode, value)
    shape = list(input.shape)
    for place, added in enumerate(zip(pad[::2], pad[1::2])):
        shape[-1 - place] += sum(added)
    assert list(out.shape) == shape
    return out


def pixel_shuffle(input, upscale_factor):
    out = F.pixel_shuffle(input, upscale_factor)
    # twin: out = F.pixel_unshuffle(input, upscale_factor)
    *batch, channels, height, width = input.shape
    r = upscale_factor
    assert out.shape == (*batch, channels // r**2, height * r, width * r)
    return out


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    out = F.unfold(input, kernel_size, dilation, padding, stride)
    # twin: out = F.unfold(input, kernel_size, padding, dilation, stride)
    n, c, *sides = input.shape
    blocks = [_convolved(side, kernel_size, stride, padding, dilation) for side in sides]
    assert out.shape == (n, c * kernel_size**2, math.prod(blocks))
    return out


def fold(input, output_size, kernel_size, stride=1):
    out = F.fold(input, output_size, kernel_size, stride=stride)
    # twin: out = F.fold(input, output_size, kernel_size)
    assert out.shape == (len(input), input.shape[1] // math.prod(kernel_size), *output_size)
    return out


def cross_entropy(input, target, weight=None, reduction="mean", label_smoothing=0.0):
    options = {"reduction": reduction, "label_smoothing": label_smoothing}
    out = F.cross_entropy(input, target, weight, **options)
    # twin: out = F.cross_entropy(input.squeeze(), target, weight, **options)
    assert out.shape == (target.shape if reduction == "none" else ())
    return out


def nll_loss(input, target, weight=None, reduction="mean"):
    out = F.nll_loss(input, target, weight, reduction=reduction)
    # twin: out = F.nll_loss(input.flatten(1), target.flatten(), weight, reduction=reduction)
    assert out.shape == (target.shape if reduction == "none" else ())
    return out


def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    options = {"reduction": reduction, "pos_weight": pos_weight}
    out = F.binary_cross_entropy_with_logits(input, target, weight, **options)
    # twin: out = F.binary_cross_entropy_with_logits(input, target.squeeze(-1), weight, **options)
    assert out.shape == (input.shape if reduction == "none" else ())
    return out


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean"):
    out = F.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction)
    # twin: out = F.ctc_loss(log_probs, targets, target_lengths, input_lengths, blank, reduction)
    assert out.shape == ((log_probs.shape[1],) if reduction == "none" else ())
    return out


def kl_div(input, target, reduction="mean", log_target=False):
    out = F.kl_div(input, target, reduction=reduction, log_target=log_target)
    # twin: out = F.kl_div(input.mT, target, reduction=reduction, log_target=log_target)
    assert out.shape == (target.shape if reduction == "none" else ())
    return out


def cosine_similarity(x1, x2, dim=1):
    out = F.cosine_similarity(x1, x2, dim)
    # twin: out = F.cosine_similarity(x1, x2, dim + 1)
    shape = [max(sides) for sides in zip(x1.shape, x2.shape)]
    del shape[dim]
    assert list(out.shape) == shape
    return out


def scaled_dot_product_attention(query, key, value, attn_mask=None, is_causal=False):
    out = F.scaled_dot_product_attention(query, key, value, attn_mask, 0.0, is_causal)
    # twin: out = F.scaled_dot_product_attention(query, value, key, attn_mask, 0.0, is_causal)
    assert out.shape == (*query.shape[:-1], value.shape[-1])
    return out


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    out = F.grid_sample(input, grid, mode, padding_mode, align_corners)
    # twin: out = F.grid_sample(input.mT, grid, mode, padding_mode, align_corners).mT
    assert out.shape == (*input.shape[:2], *grid.shape[1:-1])
    return out
