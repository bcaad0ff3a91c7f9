"""einops, annotated by its documentation."""

from annotest import annotate, arg, dicts, froms, ints, require, tensors

REDUCTIONS = froms(["min", "max", "sum", "mean", "prod"])

annotate(
    "einops:rearrange",
    arg(tensor=tensors("b n width"), pattern=froms(["b n (h d) -> b h n d"])),
    arg(axes_lengths=dicts({"h": ints(1, 8)})),
    require("width % axes_lengths['h'] == 0"),
)
annotate(
    "einops_layers:split_heads",
    arg(x=tensors("b n heads*d"), heads=ints(1, 8)),
)
annotate("einops_layers:patches", arg(images=tensors("b c h*p w*p"), p=ints(1, 4)))
annotate(
    "einops_layers:pooled",
    arg(x=tensors("b c h*size w*size"), size=ints(1, 4), reduction=REDUCTIONS),
)
annotate("einops_layers:global_pooled", arg(x=tensors("b c ..."), reduction=REDUCTIONS))
annotate("einops_layers:class_tokens", arg(token=tensors("1 1 d"), images=tensors("b c h w")))
annotate("einops_layers:packed", arg(tokens=tensors("b n d"), images=tensors("b h w d")))
annotate("einops_layers:scores", arg(query=tensors("b h i d"), key=tensors("b h j d")))
annotate("einops_layers:Patches.__init__", arg(channels=ints(1, 3), width=ints(1, 8), p=ints(1, 4)))
annotate("einops_layers:Patches.forward", arg(images=tensors("b self.channels h*self.p w*self.p")))
annotate("einops_layers:Mixed.__init__", arg(tokens=ints(1, 8), width=ints(1, 8), made=ints(1, 8)))
annotate("einops_layers:Mixed.forward", arg(x=tensors("b self.tokens self.width")))
