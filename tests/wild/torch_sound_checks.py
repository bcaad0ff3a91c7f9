"""torch.nn, annotated by its documentation: each module is sound.

What does not hold of one stands beside it.
"""

from annotest import (
    annotate,
    anys,
    arg,
    batch_independent,
    bools,
    ensure,
    floats,
    froms,
    ints,
    require,
    sound_module,
    tensors,
)


def module(name, made, *notes, sound=sound_module):
    if made:
        annotate(f"torch.nn:{name}.__init__", *made)
    annotate(f"torch_sound:{name}.forward", *notes, ensure(sound))


module(
    "Linear",
    [arg(in_features=ints(1, 8), out_features=ints(1, 8), bias=bools())],
    arg(input=tensors("b self.in_features")),
)
module(
    "Bilinear",
    [arg(in1_features=ints(1, 4), in2_features=ints(1, 4), out_features=ints(1, 4))],
    arg(input1=tensors("b self.in1_features")),
    arg(input2=tensors("b self.in2_features")),
)
module(
    "Conv1d",
    [arg(in_channels=ints(1, 4), out_channels=ints(1, 4), kernel_size=ints(1, 3))],
    arg(input=tensors("b self.in_channels t")),
    require("input.shape[2] >= self.kernel_size[0]"),
)
module(
    "Conv2d",
    [arg(in_channels=ints(1, 4), out_channels=ints(1, 4), kernel_size=ints(1, 2))],
    arg(input=tensors("b self.in_channels h w")),
    require("min(input.shape[2:]) >= self.kernel_size[0]"),
)
module(
    "ConvTranspose2d",
    [arg(in_channels=ints(1, 4), out_channels=ints(1, 4), kernel_size=ints(1, 3))],
    arg(input=tensors("b self.in_channels h w")),
)
module(
    "Embedding",
    [arg(num_embeddings=ints(1, 9), embedding_dim=ints(1, 4))],
    arg(input=tensors("b t", "int64", min=0, max="self.num_embeddings-1")),
)
module(
    "EmbeddingBag",
    [arg(num_embeddings=ints(1, 9), embedding_dim=ints(1, 4), mode=froms(["sum", "mean", "max"]))],
    arg(input=tensors("b t", "int64", min=0, max="self.num_embeddings-1")),
)
module(
    "BatchNorm1d",
    [arg(num_features=ints(1, 8), affine=bools())],
    arg(input=tensors("b self.num_features", requires_grad=True)),
    require("len(input) > 1"),
)
module(
    "BatchNorm2d",
    [arg(num_features=ints(1, 4), momentum=anys(None, floats(0, 1)))],
    arg(input=tensors("b self.num_features h w")),
    require("input.numel() > self.num_features"),
)
module(
    "InstanceNorm1d",
    [arg(num_features=ints(1, 4), affine=bools(), track_running_stats=bools())],
    arg(input=tensors("b self.num_features t", requires_grad=True)),
    require("input.shape[2] > 1"),
)
module(
    "LayerNorm",
    [arg(normalized_shape=ints(1, 8), elementwise_affine=bools())],
    arg(input=tensors("b ... init.normalized_shape", requires_grad=True)),
)
module(
    "GroupNorm",
    [
        arg(num_groups=ints(1, 3), num_channels=ints(1, 6)),
        require("num_channels % num_groups == 0"),
    ],
    arg(input=tensors("b self.num_channels t")),
    require("input.shape[1] // self.num_groups * input.shape[2] > 1"),
)
module(
    "RMSNorm",
    [arg(normalized_shape=ints(1, 8))],
    arg(x=tensors("b init.normalized_shape", requires_grad=True)),
)
module(
    "RNNCell",
    [arg(input_size=ints(1, 4), hidden_size=ints(1, 4))],
    arg(input=tensors("b self.input_size")),
    arg(hx=anys(None, tensors("b self.hidden_size"))),
)
# its batch is along axis 1
module(
    "LSTM",
    [
        arg(
            input_size=ints(1, 4),
            hidden_size=ints(1, 4),
            num_layers=ints(1, 2),
            dropout=floats(0, 1),
        ),
        arg(bidirectional=bools()),
    ],
    arg(input=tensors("t b self.input_size")),
    ensure(batch_independent(1)),
    sound=sound_module(except_=("batch_independent",)),
)
module(
    "GRU",
    [arg(input_size=ints(1, 4), hidden_size=ints(1, 4), batch_first=froms([True]))],
    arg(input=tensors("b t self.input_size")),
)
module(
    "MultiheadAttention",
    [
        arg(
            embed_dim=ints(1, 8),
            num_heads=ints(1, 2),
            dropout=floats(0, 1),
            batch_first=froms([True]),
        ),
        require("embed_dim % num_heads == 0"),
    ],
    arg(query=tensors("b l self.embed_dim"), key=tensors("b s self.embed_dim")),
    arg(value=tensors("b s self.embed_dim")),
)
module(
    "TransformerEncoderLayer",
    [
        arg(
            d_model=ints(1, 8),
            nhead=ints(1, 2),
            dim_feedforward=ints(1, 4),
            batch_first=froms([True]),
        ),
        arg(norm_first=bools()),
        require("d_model % nhead == 0"),
    ],
    arg(src=tensors("b s init.d_model")),
)
module(
    "TransformerDecoderLayer",
    [
        arg(
            d_model=ints(1, 8),
            nhead=ints(1, 2),
            dim_feedforward=ints(1, 4),
            batch_first=froms([True]),
        ),
        require("d_model % nhead == 0"),
    ],
    arg(tgt=tensors("b t init.d_model"), memory=tensors("b s init.d_model")),
)
module("Dropout", [arg(p=floats(0, 1))], arg(input=tensors("b d", requires_grad=True)))
module("PReLU", [arg(num_parameters=ints(1, 4))], arg(input=tensors("b self.num_parameters")))
module("Softmax", [arg(dim=froms([1]))], arg(input=tensors("b d", requires_grad=True)))
module("LogSoftmax", [arg(dim=froms([1]))], arg(input=tensors("b d", requires_grad=True)))
module("GLU", [], arg(input=tensors("b 2*d", requires_grad=True)))
module(
    "MaxPool2d",
    [arg(kernel_size=ints(1, 3))],
    arg(input=tensors("b c h w", requires_grad=True)),
    require("min(input.shape[2:]) >= self.kernel_size"),
)
module(
    "AdaptiveAvgPool2d",
    [arg(output_size=ints(1, 3))],
    arg(input=tensors("b c h w", requires_grad=True)),
)
module(
    "Upsample",
    [arg(scale_factor=ints(1, 3), mode=froms(["nearest", "bilinear"]))],
    arg(input=tensors("b c h w", requires_grad=True)),
)
module("CosineSimilarity", [], arg(x1=tensors("b d", requires_grad=True), x2=tensors("b d")))
