import torch
from jaxtyping import Float
from torch import Tensor

from workings.modules.module import Context, Module
from workings.ops.grounding import EPSILON, Similarity
from workings.ops.results import Attention
from workings.settings import ModuleSettings


class Filter(Module, name="filter"):
    """Keeps the words found that meet a condition of the question."""

    example = "How many field goals were kicked in the second quarter?"
    uses_question = True
    keeps_place = True
    takes_several = True
    error_category = "filter"

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.similarity = Similarity(width, settings.similarity)

    def forward(self, context: Context, found: Attention) -> Attention:
        encoding = context.encoding
        query = context.question_attention[:, None, :] @ encoding.question
        keep = torch.sigmoid(self.similarity(query, encoding.passage)[:, 0])
        if self.settings.filter == "sentence":
            keep = self._sentence_mean(keep, context)
        weights = keep * found.passage
        weights = weights / weights.sum(-1, keepdim=True).clamp(min=EPSILON)
        return Attention(weights, (found.question + context.question_attention) / 2)

    def _sentence_mean(self, keep: Float[Tensor, "b m"], context: Context) -> Float[Tensor, "b m"]:
        """Replace each token's value by the mean of its sentence."""
        sentences, mask = context.encoding.sentences, context.encoding.passage_mask
        size = int(sentences.max()) + 1
        total = keep.new_zeros(len(keep), size).scatter_add(1, sentences, keep * mask)
        count = keep.new_zeros(len(keep), size).scatter_add(1, sentences, mask.to(keep.dtype))
        return (total / count.clamp(min=1)).gather(1, sentences)
