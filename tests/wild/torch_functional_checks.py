"""torch.nn.functional, annotated by its documentation: the functions, and what checks their shapes."""

from annotest import (
    annotate,
    anys,
    arg,
    bools,
    dims,
    floats,
    froms,
    int_lists,
    ints,
    labels,
    masks,
    probabilities,
    require,
    tensors,
    tuples,
)

# undocumented: pixel_shuffle refuses five sides that are channels-last
LAYOUTS = ["contiguous", "transposed", "sliced"]
INTEGERS = froms(["int32", "int64"])
REDUCTIONS = froms(["none", "mean", "sum"])


def both(name, *notes):
    annotate(f"torch.nn.functional:{name}", *notes)
    annotate(f"torch_functional:{name}", *notes)


both(
    "conv1d",
    arg(input=tensors("n groups*i t"), weight=tensors("groups*o i k"), groups=ints(1, 3)),
    arg(bias=anys(None, tensors("groups*o"))),
    arg(stride=ints(1, 3), padding=ints(0, 2), dilation=ints(1, 3)),
    require("dilation * (k - 1) < t + 2 * padding"),
)
both(
    "conv2d",
    arg(input=tensors("n groups*i h w"), weight=tensors("groups*o i kh kw"), groups=ints(1, 3)),
    arg(bias=anys(None, tensors("groups*o")), stride=ints(1, 3), dilation=ints(1, 3)),
    arg(padding=anys(ints(0, 2), "valid", "same")),
    require("padding != 'same' or stride == 1"),
    require("padding != 'valid' or dilation * (kh - 1) < h and dilation * (kw - 1) < w"),
    require("type(padding) is str or dilation * (kh - 1) < h + 2 * padding"),
    require("type(padding) is str or dilation * (kw - 1) < w + 2 * padding"),
)
both(
    "conv_transpose2d",
    arg(input=tensors("n groups*i h w"), weight=tensors("groups*i o kh kw"), groups=ints(1, 3)),
    arg(bias=anys(None, tensors("groups*o")), stride=ints(1, 3), dilation=ints(1, 3)),
    arg(padding=ints(0, 2), output_padding=ints(0, 2)),
    require("output_padding < max(stride, dilation)"),
    require("(h - 1) * stride - 2 * padding + dilation * (kh - 1) + output_padding >= 0"),
    require("(w - 1) * stride - 2 * padding + dilation * (kw - 1) + output_padding >= 0"),
)
# documented, and refused: a weight of shape (i) together with a bias of shape ()
both(
    "linear",
    arg(input=tensors("... i"), weight=tensors("o? i"), bias=anys(None, tensors("o"))),
)
both(
    "bilinear",
    arg(input1=tensors("*batch i"), input2=tensors("*batch j"), weight=tensors("o i j")),
    arg(bias=anys(None, tensors("o"))),
)
both(
    "embedding",
    arg(input=tensors("...", INTEGERS, min=0, max="v-1"), weight=tensors("v d")),
    arg(padding_idx=anys(None, ints(-8, 7))),
    require("padding_idx is None or -v <= padding_idx < v"),
)
both(
    "embedding_bag",
    arg(input=tensors("b n", INTEGERS, min=0, max="v-1"), weight=tensors("v d")),
    arg(mode=froms(["sum", "mean", "max"])),
)
both(
    "one_hot",
    arg(tensor=tensors("...", "int64", min=0, max=8), num_classes=anys(-1, ints(1, 9))),
    require("num_classes == -1 or (tensor < num_classes).all()"),
)
both(
    "layer_norm",
    arg(input=tensors("... h w"), normalized_shape=int_lists(min_len=1, max_len=3, max=8)),
    arg(weight=anys(None, tensors("...")), bias=anys(None, tensors("..."))),
    require("list(input.shape[-len(normalized_shape):]) == normalized_shape"),
    require("weight is None or list(weight.shape) == normalized_shape"),
    require("bias is None or list(bias.shape) == normalized_shape"),
)
both(
    "batch_norm",
    arg(input=tensors("n c ..."), running_mean=tensors("c"), running_var=tensors("c", min=0)),
    arg(weight=anys(None, tensors("c")), bias=anys(None, tensors("c")), training=bools()),
    require("not training or input.numel() > c"),
)
both(
    "group_norm",
    arg(input=tensors("n c ..."), num_groups=ints(1, 8)),
    arg(weight=anys(None, tensors("c")), bias=anys(None, tensors("c"))),
    require("c % num_groups == 0 and input.numel() > num_groups"),
)
both(
    "max_pool2d",
    arg(input=tensors("n c h w"), kernel_size=ints(1, 4), stride=anys(None, ints(1, 3))),
    arg(padding=ints(0, 2), dilation=ints(1, 3), ceil_mode=bools()),
    require("padding <= kernel_size / 2"),
    require("dilation * (kernel_size - 1) < min(h, w) + 2 * padding"),
)
both(
    "avg_pool1d",
    arg(input=tensors("*batch c t"), kernel_size=ints(1, 4), stride=anys(None, ints(1, 3))),
    arg(padding=ints(0, 2), ceil_mode=bools()),
    require("padding <= kernel_size / 2 and kernel_size <= t + 2 * padding"),
    require("input.ndim <= 3"),
)
both(
    "adaptive_avg_pool2d",
    arg(input=tensors("n? c h w")),
    arg(output_size=tuples(ints(1, 9), ints(1, 9))),
)
both(
    "interpolate",
    arg(input=tensors("n c h w")),
    arg(size=anys(None, int_lists(len=2, max=12)), scale_factor=anys(None, floats(0.1, 3))),
    arg(mode=froms(["nearest", "bilinear", "bicubic", "area", "nearest-exact"])),
    arg(align_corners=anys(None, bools())),
    require("(size is None) != (scale_factor is None)"),
    require("scale_factor is None or min(h, w) * scale_factor >= 1"),
    require("align_corners is None or mode in ('bilinear', 'bicubic')"),
)
both(
    "pad",
    arg(input=tensors("n c h w"), pad=int_lists(min_len=2, max_len=8, min=0, max=3)),
    arg(mode=froms(["constant", "reflect", "replicate", "circular"])),
    arg(value=anys(None, floats(width=32))),
    require("len(pad) % 2 == 0 and (mode == 'constant' or len(pad) == 4)"),
    require("mode != 'reflect' or max(pad[:2]) < w and max(pad[2:]) < h"),
    require("mode != 'circular' or max(pad[:2]) <= w and max(pad[2:]) <= h"),
    require("mode == 'constant' or value is None"),
)
both(
    "pixel_shuffle",
    arg(input=tensors("*batch c*upscale_factor**2 h w", layout=LAYOUTS)),
    arg(upscale_factor=ints(1, 4)),
)
both(
    "unfold",
    arg(input=tensors("n c h w"), kernel_size=ints(1, 4), dilation=ints(1, 3)),
    arg(padding=ints(0, 2), stride=ints(1, 3)),
    require("dilation * (kernel_size - 1) < min(h, w) + 2 * padding"),
)
both(
    "fold",
    arg(input=tensors("n c blocks"), stride=ints(1, 3)),
    arg(output_size=tuples(ints(1, 8), ints(1, 8)), kernel_size=tuples(ints(1, 3), ints(1, 3))),
    dims(c=ints(1, 36), blocks=ints(1, 64)),
    require("all(k <= n for k, n in zip(kernel_size, output_size))"),
    require("c % (kernel_size[0] * kernel_size[1]) == 0"),
    require(
        "blocks == ((output_size[0] - kernel_size[0]) // stride + 1)"
        " * ((output_size[1] - kernel_size[1]) // stride + 1)"
    ),
)
both(
    "cross_entropy",
    arg(input=tensors("n classes *d"), target=labels("n *d", "classes")),
    arg(weight=anys(None, tensors("classes", min=0)), reduction=REDUCTIONS),
    arg(label_smoothing=floats(0, 1)),
)
both(
    "nll_loss",
    arg(input=tensors("n classes *d", max=0), target=labels("n *d", "classes")),
    arg(weight=anys(None, tensors("classes", min=0)), reduction=REDUCTIONS),
)
both(
    "binary_cross_entropy_with_logits",
    arg(input=tensors("*batch c"), target=tensors("*batch c", min=0, max=1)),
    arg(weight=anys(None, tensors("*batch c", min=0)), pos_weight=anys(None, tensors("c", min=0))),
    arg(reduction=REDUCTIONS),
)
both(
    "ctc_loss",
    arg(log_probs=tensors("t n c", max=0), targets=tensors("n s", "int64", min=1, max="c-1")),
    arg(input_lengths=tensors("n", "int64", min=1, max="t")),
    arg(target_lengths=tensors("n", "int64", min=1, max="s"), reduction=REDUCTIONS),
    dims(c=ints(2, 8)),
)
both(
    "kl_div",
    arg(input=tensors("b c", max=0), target=probabilities("b c")),
    arg(reduction=REDUCTIONS),
)
both(
    "cosine_similarity",
    arg(x1=tensors("_ _ ..."), x2=tensors("_ _ ..."), dim=ints(0, 3)),
    require("x1.ndim == x2.ndim and dim < x1.ndim"),
    require("all(a == b or 1 in (a, b) for a, b in zip(x1.shape, x2.shape))"),
)
both(
    "scaled_dot_product_attention",
    arg(query=tensors("*batch h l e"), key=tensors("*batch h s e"), value=tensors("*batch h s v")),
    arg(attn_mask=anys(None, tensors("l s"), masks("l s")), is_causal=bools()),
    require("attn_mask is None or not is_causal"),
)
both(
    "grid_sample",
    arg(input=tensors("n c h w"), grid=tensors("n hout wout 2", min=-1, max=1)),
    arg(mode=froms(["bilinear", "nearest", "bicubic"])),
    arg(padding_mode=froms(["zeros", "border", "reflection"]), align_corners=anys(None, bools())),
)
