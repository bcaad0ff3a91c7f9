"""Models of transformers, tiny ones; each result has the shape that the documentation says.

A comment `# twin:` is the line above it with a mistake, as it stands in the copy that must be found.
"""

import transformers


class BertModel(transformers.BertModel):
    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        out = super().forward(input_ids, attention_mask, token_type_ids)
        # twin: out = super().forward(input_ids, token_type_ids, input_ids)
        assert out.last_hidden_state.shape == (*input_ids.shape, self.config.hidden_size)
        assert out.pooler_output.shape == (len(input_ids), self.config.hidden_size)
        return out


class GPT2LMHeadModel(transformers.GPT2LMHeadModel):
    def forward(self, input_ids, attention_mask=None, labels=None, logits_to_keep=0):
        options = {"labels": labels, "logits_to_keep": logits_to_keep}
        # twin: options = {"labels": labels, "logits_to_keep": -logits_to_keep}
        out = super().forward(input_ids, attention_mask=attention_mask, **options)
        batch, length = input_ids.shape
        made = min(logits_to_keep or length, length)
        assert out.logits.shape == (batch, made, self.config.vocab_size)
        assert labels is None or out.loss.shape == ()
        return out


class LlamaModel(transformers.LlamaModel):
    def forward(self, input_ids, attention_mask=None):
        out = super().forward(input_ids, attention_mask)
        # twin: out = super().forward(input_ids[:, 1:], attention_mask)
        assert out.last_hidden_state.shape == (*input_ids.shape, self.config.hidden_size)
        return out


class ViTModel(transformers.ViTModel):
    def forward(self, pixel_values):
        out = super().forward(pixel_values)
        # twin: out = super().forward(pixel_values[..., :-1, :-1])
        patches = (self.config.image_size // self.config.patch_size) ** 2
        shape = (len(pixel_values), patches + 1, self.config.hidden_size)
        assert out.last_hidden_state.shape == shape
        return out
