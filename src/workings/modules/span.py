from math import expm1, log

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from workings.encoder.encoding import Encoding
from workings.modules._attention_reader import AttentionReader
from workings.modules.module import Context, Module
from workings.ops.grounding import log_safe
from workings.ops.results import Attention, Span
from workings.ops.span_scores import score_spans
from workings.ops.uncertain_sets import attended
from workings.settings import ModuleSettings

# What going on by one token costs at first: torn between two phrases, one of them is meant.
_COST = 0.1


class SpanAnswer(Module, name="span"):
    """The attended words as a phrase of the passage, or of the question if it names the answer."""

    example = "Who caught the longest pass?"

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        if settings.span != "attention-only":
            self.query = nn.Linear(width, 2 * width, bias=False)
            self.token_score = nn.Linear(width, 2)
            self.attention_weight = nn.Parameter(torch.full((2, 2), 0.5))
            if settings.span == "whole":
                self.length_penalty = nn.Linear(width, 1)
                nn.init.zeros_(self.length_penalty.weight)
                nn.init.constant_(self.length_penalty.bias, log(expm1(_COST)))
        else:
            self.reader = AttentionReader()
            self.score = nn.Linear(AttentionReader.width, 2)

    def forward(self, context: Context, words: Attention) -> Span:
        encoding = context.encoding
        asked = torch.zeros_like(encoding.question_mask)
        if self.settings.span == "attention-only":
            scores = self._from_attention(context, words)
        else:
            asked, scores = encoding.question_mask, self._with_text(context, words)
        mask = torch.cat([asked, encoding.passage_mask], 1)
        if self.settings.span == "whole":
            costs = functional.softplus(self.length_penalty(_tokens(encoding))).squeeze(-1)
            return score_spans(scores, costs, mask, asked.shape[1])
        scores = scores.masked_fill(~mask[..., None], torch.finfo(scores.dtype).min)
        start, end = torch.log_softmax(scores, 1).unbind(-1)
        return Span(start, end)

    def _with_text(self, context: Context, words: Attention) -> Float[Tensor, "b t 2"]:
        """Each token against the mean of what is attended, by itself, and by its own weight."""
        encoding = context.encoding
        tokens = _tokens(encoding)
        meant = self.query(attended(words, encoding)).unflatten(-1, (2, -1))
        match = tokens @ meant.transpose(1, 2) * tokens.shape[-1] ** -0.5
        weights = [log_safe(words.question)[..., None], log_safe(words.passage)[..., None]]
        notice = torch.cat([w * t for w, t in zip(weights, self.attention_weight, strict=True)], 1)
        scores: Tensor = match + self.token_score(tokens) + notice
        return scores

    def _from_attention(self, context: Context, words: Attention) -> Float[Tensor, "b t 2"]:
        """The paper's: only the weights are seen, and only the passage can answer."""
        passage = self.score(self.reader(words.passage, context.encoding.passage_mask))
        return torch.cat([passage.new_zeros(*words.question.shape, 2), passage], 1)


def _tokens(encoding: Encoding) -> Float[Tensor, "b t d"]:
    return torch.cat([encoding.question, encoding.passage], 1)
