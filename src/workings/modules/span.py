from math import expm1, log

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from workings.encoder.encoding import Encoding
from workings.grounding import log_safe
from workings.membership import attended
from workings.modules._weights import WeightReader
from workings.modules.base import Context, Module
from workings.phrases import weigh_phrases
from workings.results import Attention, Span
from workings.settings import ModuleSettings

# What going on by one token costs at first: torn between two phrases, one of them is meant.
_COST = 0.1


class SpanAnswer(Module, name="span"):
    """The attended words as a phrase of the passage, or of the question if it names the answer."""

    example = "Who caught the longest pass?"

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        if settings.span != "blind":
            self.ends = nn.Linear(width, 2 * width, bias=False)
            self.alone = nn.Linear(width, 2)
            self.trust = nn.Parameter(torch.full((2, 2), 0.5))
            if settings.span == "whole":
                self.cost = nn.Linear(width, 1)
                nn.init.zeros_(self.cost.weight)
                nn.init.constant_(self.cost.bias, log(expm1(_COST)))
        else:
            self.reader = WeightReader()
            self.score = nn.Linear(WeightReader.width, 2)

    def forward(self, context: Context, words: Attention) -> Span:
        encoding = context.encoding
        asked = torch.zeros_like(encoding.question_mask)
        if self.settings.span == "blind":
            scores = self._blind(context, words)
        else:
            asked, scores = encoding.question_mask, self._with_text(context, words)
        mask = torch.cat([asked, encoding.passage_mask], 1)
        if self.settings.span == "whole":
            costs = functional.softplus(self.cost(_tokens(encoding))).squeeze(-1)
            return weigh_phrases(scores, costs, mask, asked.shape[1])
        scores = scores.masked_fill(~mask[..., None], torch.finfo(scores.dtype).min)
        start, end = torch.log_softmax(scores, 1).unbind(-1)
        return Span(start, end)

    def _with_text(self, context: Context, words: Attention) -> Float[Tensor, "b t 2"]:
        """Each token against the mean of what is attended, by itself, and by its own weight."""
        encoding = context.encoding
        tokens = _tokens(encoding)
        meant = self.ends(attended(words, encoding)).unflatten(-1, (2, -1))
        match = tokens @ meant.transpose(1, 2) * tokens.shape[-1] ** -0.5
        weights = [log_safe(words.question)[..., None], log_safe(words.passage)[..., None]]
        notice = torch.cat([w * t for w, t in zip(weights, self.trust, strict=True)], 1)
        scores: Tensor = match + self.alone(tokens) + notice
        return scores

    def _blind(self, context: Context, words: Attention) -> Float[Tensor, "b t 2"]:
        """The paper's: only the weights are seen, and only the passage can answer."""
        passage = self.score(self.reader(words.passage, context.encoding.passage_mask))
        return torch.cat([passage.new_zeros(*words.question.shape, 2), passage], 1)


def _tokens(encoding: Encoding) -> Float[Tensor, "b t d"]:
    return torch.cat([encoding.question, encoding.passage], 1)
