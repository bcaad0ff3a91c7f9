"""transformers, annotated by its documentation: configurations, models, `forward`."""

from transformers import BertConfig, GPT2Config, LlamaConfig, ViTConfig

from annotest import annotate, anys, arg, floats, froms, ints, objs, require, tensors, token_ids


def model(name, config, *notes):
    annotate(f"transformers_models:{name}.__init__", arg(config=objs(config)))
    annotate(f"transformers_models:{name}.forward", *notes)


def configuration(name, *notes):
    annotate(f"transformers:{name}.__init__", *notes)


IDS = token_ids("b s", "self.config.vocab_size")
TYPES = token_ids("b s", "self.config.type_vocab_size")
MASK = anys(None, tensors("b s", "int64", min=0, max=1))

configuration(
    "BertConfig",
    arg(vocab_size=ints(1, 9), hidden_size=ints(1, 16), num_hidden_layers=ints(0, 2)),
    arg(num_attention_heads=ints(1, 4), intermediate_size=ints(1, 8)),
    arg(hidden_act=froms(["gelu", "relu", "silu", "gelu_new"])),
    arg(hidden_dropout_prob=floats(0, 1), attention_probs_dropout_prob=floats(0, 1)),
    arg(max_position_embeddings=ints(1, 16), type_vocab_size=ints(1, 3)),
    require("hidden_size % num_attention_heads == 0"),
)
model(
    "BertModel",
    BertConfig,
    arg(input_ids=IDS, attention_mask=MASK, token_type_ids=anys(None, TYPES)),
    require("s <= self.config.max_position_embeddings"),
)

configuration(
    "GPT2Config",
    arg(vocab_size=ints(1, 9), n_positions=ints(1, 16), n_embd=ints(1, 16), n_layer=ints(0, 2)),
    arg(n_head=ints(1, 4), n_inner=anys(None, ints(1, 8)), resid_pdrop=floats(0, 1)),
    require("n_embd % n_head == 0"),
)
model(
    "GPT2LMHeadModel",
    GPT2Config,
    arg(input_ids=IDS, attention_mask=MASK, labels=anys(None, IDS), logits_to_keep=ints(0, 9)),
    require("s <= self.config.n_positions"),
    require("labels is None or logits_to_keep == 0"),  # undocumented
)

configuration(
    "LlamaConfig",
    arg(
        vocab_size=ints(1, 9), hidden_size=ints(2, 16, multiple_of=2), intermediate_size=ints(1, 8)
    ),
    arg(num_hidden_layers=ints(0, 2), num_attention_heads=ints(1, 4)),
    arg(num_key_value_heads=anys(None, ints(1, 4)), max_position_embeddings=ints(8, 16)),
    require("hidden_size % (2 * num_attention_heads) == 0"),
    require("num_key_value_heads is None or num_attention_heads % num_key_value_heads == 0"),
)
model(
    "LlamaModel",
    LlamaConfig,
    arg(input_ids=IDS, attention_mask=MASK),
)

configuration(
    "ViTConfig",
    arg(hidden_size=ints(1, 16), num_hidden_layers=ints(0, 2), num_attention_heads=ints(1, 4)),
    arg(intermediate_size=ints(1, 8), image_size=ints(1, 12), patch_size=ints(1, 4)),
    arg(num_channels=ints(1, 3)),
    require("hidden_size % num_attention_heads == 0 and image_size % patch_size == 0"),
)
model(
    "ViTModel",
    ViTConfig,
    arg(
        pixel_values=tensors(
            "b self.config.num_channels self.config.image_size self.config.image_size"
        )
    ),
)
