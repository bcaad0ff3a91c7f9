"""monai, annotated by its documentation."""

from annotest import annotate, arg, bools, floats, froms, int_lists, ints, labels, require, tensors


def parts(name, *notes, method, inputs):
    annotate(f"monai_parts:{name}.__init__", *notes)
    annotate(f"monai_parts:{name}.{method}", *inputs)


parts(
    "DiceLoss",
    arg(include_background=bools(), sigmoid=bools(), softmax=bools(), squared_pred=bools()),
    arg(jaccard=bools(), batch=bools(), reduction=froms(["none", "mean", "sum"])),
    require("not (sigmoid and softmax)"),
    method="forward",
    inputs=[arg(input=tensors("b n *d"), target=tensors("b n *d", min=0, max=1))],
)
parts(
    "UNet",
    arg(spatial_dims=froms([2]), in_channels=ints(1, 2), out_channels=ints(1, 3)),
    arg(channels=int_lists(min_len=2, max_len=3, max=4), strides=int_lists(max_len=2, max=2)),
    arg(num_res_units=ints(0, 2), dropout=floats(0, 1), bias=bools()),
    arg(kernel_size=froms([1, 3]), up_kernel_size=froms([1, 3])),
    require("len(strides) == len(channels) - 1"),
    method="forward",
    inputs=[
        arg(x=tensors("b init.in_channels 4*h 4*w")),
        require("h * w > 1"),
    ],
)
parts(
    "SpatialPad",
    arg(spatial_size=int_lists(min_len=2, max_len=2, min=1, max=9)),
    arg(method=froms(["symmetric", "end"])),
    method="__call__",
    inputs=[arg(img=tensors("c h w"))],
)
parts(
    "CenterSpatialCrop",
    arg(roi_size=int_lists(min_len=2, max_len=2, min=1, max=9)),
    method="__call__",
    inputs=[arg(img=tensors("c h w"))],
)
parts(
    "Resize",
    arg(spatial_size=int_lists(min_len=2, max_len=2, min=1, max=9)),
    arg(mode=froms(["nearest", "bilinear", "bicubic", "area"])),
    method="__call__",
    inputs=[arg(img=tensors("c h w"))],
)
annotate(
    "monai_parts:one_hot",
    arg(labels=labels("b 1 *d", "num_classes", framework="torch"), num_classes=ints(1, 6)),
)
annotate(
    "monai_parts:windowed",
    arg(inputs=tensors("b c h w"), roi_size=int_lists(min_len=2, max_len=2, min=1, max=9)),
    arg(sw_batch_size=ints(1, 4), overlap=floats(0, 1, exclude_max=True)),
    arg(mode=froms(["constant", "gaussian"])),
)
annotate(
    "monai_parts:dice",
    arg(y_pred=tensors("b c *d", min=0, max=1), y=tensors("b c *d", min=0, max=1)),
    arg(include_background=bools()),
)
