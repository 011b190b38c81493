from math import expm1, log

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from workings.encoder.encoding import Encoding
from workings.modules._attention_reader import AttentionReader
from workings.modules.module import Context, Module
from workings.ops.grounding import bounded, log_safe
from workings.ops.results import Attention, Span
from workings.ops.span_scores import score_spans
from workings.ops.uncertain_sets import attended
from workings.settings import ModuleSettings

# With `modules.gated`, token vectors change the score of an end of a span by at most this much, and
# attention below the smallest counts as none. The logarithm of the smallest outweighs the bound, so
# that the answer lies where the step before attends to.
_VECTOR_BOUND = 2.0
_MIN_ATTENTION = 1e-3
# Initial penalty per further token: keeps a span from joining two candidates.
_INITIAL_PENALTY = 0.1


class SpanAnswer(Module, name="span"):
    """The attended words as a phrase of the passage, or of the question if it names the answer."""

    example = "Who caught the longest pass?"
    error_category = "span"

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        if settings.span == "attention-only":
            self.reader = AttentionReader()
            self.score = nn.Linear(AttentionReader.width, 2)
            return
        self.query = nn.Linear(width, 2 * width, bias=False)
        self.token_score = nn.Linear(width, 2)
        if not settings.gated:
            self.attention_weight = nn.Parameter(torch.full((2, 2), 0.5))
        if settings.span == "whole":
            self.length_penalty = nn.Linear(width, 1)
            nn.init.zeros_(self.length_penalty.weight)
            nn.init.constant_(self.length_penalty.bias, log(expm1(_INITIAL_PENALTY)))

    def forward(self, context: Context, words: Attention) -> Span:
        encoding = context.encoding
        question_mask = torch.zeros_like(encoding.question_mask)
        if self.settings.span == "attention-only":
            scores = self._from_attention(context, words)
        else:
            question_mask, scores = encoding.question_mask, self._from_tokens(context, words)
        mask = torch.cat([question_mask, encoding.passage_mask], 1)
        if self.settings.span == "whole":
            penalty = functional.softplus(self.length_penalty(_tokens(encoding))).squeeze(-1)
            return score_spans(scores, penalty, mask, question_mask.shape[1])
        scores = scores.masked_fill(~mask[..., None], torch.finfo(scores.dtype).min)
        start, end = torch.log_softmax(scores, 1).unbind(-1)
        return Span(start, end)

    def _from_tokens(self, context: Context, words: Attention) -> Float[Tensor, "b t 2"]:
        """Score each token by its match with the attended mean, by itself and by its attention."""
        encoding = context.encoding
        tokens = _tokens(encoding)
        query = self.query(attended(words, encoding, self.settings)).unflatten(-1, (2, -1))
        match = tokens @ query.transpose(1, 2) * tokens.shape[-1] ** -0.5
        if self.settings.gated:
            weights = torch.cat([words.question, words.passage], 1) + _MIN_ATTENTION
            by_vector = bounded(match + self.token_score(tokens), _VECTOR_BOUND)
            return by_vector + torch.log(weights)[..., None]
        logs = [log_safe(words.question)[..., None], log_safe(words.passage)[..., None]]
        attention = torch.cat(
            [log * weight for log, weight in zip(logs, self.attention_weight, strict=True)], 1
        )
        scores: Tensor = match + self.token_score(tokens) + attention
        return scores

    def _from_attention(self, context: Context, words: Attention) -> Float[Tensor, "b t 2"]:
        """The paper's version: scores from the attention alone, and only for the passage."""
        passage = self.score(self.reader(words.passage, context.encoding.passage_mask))
        return torch.cat([passage.new_zeros(*words.question.shape, 2), passage], 1)


def _tokens(encoding: Encoding) -> Float[Tensor, "b t d"]:
    return torch.cat([encoding.question, encoding.passage], 1)
