"""torch.nn, annotated by its documentation: constructors, and `forward` of each module."""

from annotest import (
    annotate,
    anys,
    arg,
    bools,
    floats,
    froms,
    int_lists,
    ints,
    masks,
    require,
    tensors,
)


def constructor(name, *notes):
    annotate(f"torch.nn:{name}.__init__", *notes)


def forward(name, *notes):
    annotate(f"torch.nn:{name}.forward", *notes)
    annotate(f"torch_modules:{name}.forward", *notes)


constructor("Linear", arg(in_features=ints(1, 8), out_features=ints(1, 8), bias=bools()))
forward("Linear", arg(input=tensors("... self.in_features")))

constructor(
    "Conv2d",
    arg(in_channels=ints(1, 8), out_channels=ints(1, 8), kernel_size=ints(1, 3)),
    arg(stride=ints(1, 3), padding=ints(0, 2), dilation=ints(1, 3), groups=ints(1, 4)),
    arg(bias=bools(), padding_mode=froms(["zeros", "reflect", "replicate", "circular"])),
    require("in_channels % groups == 0 and out_channels % groups == 0"),
)
forward(
    "Conv2d",
    arg(input=tensors("n init.in_channels h w")),
    require("init.dilation * (init.kernel_size - 1) < min(h, w) + 2 * init.padding"),
    require("init.padding_mode != 'reflect' or init.padding < min(h, w)"),
    require("init.padding_mode != 'circular' or init.padding <= min(h, w)"),
)

constructor(
    "ConvTranspose1d",
    arg(in_channels=ints(1, 4), out_channels=ints(1, 4), kernel_size=ints(1, 4)),
    arg(stride=ints(1, 3), padding=ints(0, 2), dilation=ints(1, 3)),
)
LEAST = "(t - 1) * init.stride - 2 * init.padding + init.dilation * (init.kernel_size - 1) + 1"
forward(
    "ConvTranspose1d",
    arg(input=tensors("n init.in_channels t")),
    arg(output_size=anys(None, int_lists(len=1, max=40))),
    require(f"{LEAST} >= 1"),
    require(f"output_size is None or 0 <= output_size[0] - ({LEAST}) < init.stride"),
)

constructor(
    "Embedding",
    arg(num_embeddings=ints(1, 9), embedding_dim=ints(1, 4), padding_idx=anys(None, ints(-9, 8))),
    require("padding_idx is None or -num_embeddings <= padding_idx < num_embeddings"),
)
forward(
    "Embedding",
    arg(input=tensors("...", froms(["int32", "int64"]), min=0, max="self.num_embeddings-1")),
)

constructor(
    "BatchNorm1d",
    arg(num_features=ints(1, 8), momentum=anys(None, floats(0, 1))),
    arg(affine=bools(), track_running_stats=bools()),
)
forward(
    "BatchNorm1d",
    arg(input=anys(tensors("n self.num_features"), tensors("n self.num_features t"))),
    # statistics of the batch itself are used in eval mode too where none are tracked
    require("not self.training and self.track_running_stats or input.numel() > self.num_features"),
)

constructor(
    "InstanceNorm2d",
    arg(num_features=ints(1, 8), affine=bools(), track_running_stats=bools()),
)
forward(
    "InstanceNorm2d",
    arg(input=tensors("n? self.num_features h w")),
    require("h * w > 1"),
)

constructor("Flatten", arg(start_dim=ints(0, 2), end_dim=ints(-1, 3)))
forward(
    "Flatten",
    arg(input=tensors("_ _ ...")),
    require("init.start_dim <= (init.end_dim if init.end_dim >= 0 else input.ndim - 1)"),
    require("max(init.start_dim, init.end_dim) < input.ndim"),
)

constructor(
    "MultiheadAttention",
    arg(embed_dim=ints(1, 16), num_heads=ints(1, 4), dropout=floats(0, 1), bias=bools()),
    arg(add_bias_kv=bools(), add_zero_attn=bools(), kdim=anys(None, ints(1, 8))),
    arg(vdim=anys(None, ints(1, 8)), batch_first=froms([True])),
    require("embed_dim % num_heads == 0"),
)
forward(
    "MultiheadAttention",
    arg(query=tensors("n l self.embed_dim")),
    arg(key=tensors("n s self.kdim"), value=tensors("n s self.vdim")),
    arg(key_padding_mask=anys(None, masks("n s")), need_weights=bools()),
    arg(attn_mask=anys(None, tensors("l s"), tensors("n*self.num_heads l s"))),
)

constructor(
    "LSTM",
    arg(input_size=ints(1, 4), hidden_size=ints(1, 4), num_layers=ints(1, 2), bias=bools()),
    arg(batch_first=bools(), bidirectional=bools(), proj_size=ints(0, 3)),
    require("proj_size < hidden_size"),
)
forward("LSTM", arg(input=tensors("_ _ self.input_size")))

constructor(
    "GRU",
    arg(input_size=ints(1, 4), hidden_size=ints(1, 4), num_layers=ints(1, 2), bias=bools()),
    arg(bidirectional=bools()),
)
forward(
    "GRU",
    arg(input=tensors("t n self.input_size")),
    arg(hx=anys(None, tensors("self.num_layers*(1+self.bidirectional) n self.hidden_size"))),
)

constructor(
    "TransformerEncoderLayer",
    arg(d_model=ints(1, 16), nhead=ints(1, 4), dim_feedforward=ints(1, 8), dropout=floats(0, 1)),
    arg(activation=froms(["relu", "gelu"]), norm_first=bools()),
    require("d_model % nhead == 0"),
)
forward(
    "TransformerEncoderLayer",
    arg(src=tensors("s n init.d_model"), src_mask=anys(None, masks("s s"))),
    arg(src_key_padding_mask=anys(None, masks("n s"))),
)

constructor("PixelUnshuffle", arg(downscale_factor=ints(1, 3)))
forward(
    "PixelUnshuffle",
    arg(
        input=tensors(
            "*batch c h*self.downscale_factor w*self.downscale_factor",
            # undocumented: it refuses five sides that are channels-last
            layout=["contiguous", "transposed", "sliced"],
        )
    ),
)

constructor(
    "TripletMarginLoss",
    arg(margin=floats(0, exclude_min=True), p=ints(1, 3), swap=bools()),
    arg(reduction=froms(["none", "mean", "sum"])),
)
forward(
    "TripletMarginLoss",
    arg(anchor=tensors("n d"), positive=tensors("n d"), negative=tensors("n d")),
)
