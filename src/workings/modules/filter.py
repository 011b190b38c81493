import torch

from workings.modules.module import Context, Module
from workings.ops.grounding import EPSILON, Similarity
from workings.ops.results import Attention
from workings.settings import ModuleSettings


class Filter(Module, name="filter"):
    """Of the words found, those that also fit the rest of what is asked."""

    example = "How many field goals were kicked in the second quarter?"
    asks = True

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.similarity = Similarity(width, settings.similarity)

    def forward(self, context: Context, found: Attention) -> Attention:
        encoding = context.encoding
        query = context.question_attention[:, None, :] @ encoding.question
        keep = torch.sigmoid(self.similarity(query, encoding.passage)[:, 0])
        if self.settings.filter == "sentence":
            keep = self._by_sentence(keep, context)
        kept = keep * found.passage
        weights = kept / kept.sum(-1, keepdim=True).clamp(min=EPSILON)
        return Attention(weights, (found.question + context.question_attention) / 2)

    def _by_sentence(self, keep: torch.Tensor, context: Context) -> torch.Tensor:
        """Every word of a sentence shares the sentence's mean."""
        sentences, mask = context.encoding.sentences, context.encoding.passage_mask
        size = int(sentences.max()) + 1
        total = keep.new_zeros(len(keep), size).scatter_add(1, sentences, keep * mask)
        count = keep.new_zeros(len(keep), size).scatter_add(1, sentences, mask.to(keep.dtype))
        return (total / count.clamp(min=1)).gather(1, sentences)
