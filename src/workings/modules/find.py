import torch
from torch import Tensor, nn

from workings.modules.module import Context, Module
from workings.ops.grounding import Similarity, masked_softmax
from workings.ops.results import Attention
from workings.settings import ModuleSettings

_MOST_FINDS = 6


class Find(Module, name="find"):
    """The words of the passage that speak of what is asked."""

    example = "Who scored the first touchdown?"
    asks = True

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.similarity = Similarity(width, settings.similarity)
        if settings.find == "pooled":
            # Without it two finds of one program begin alike, and are slow to tell apart.
            self.find_embedding = nn.Parameter(torch.randn(_MOST_FINDS, width) * 0.2)

    def forward(self, context: Context) -> Attention:
        encoding, asked = context.encoding, context.question_attention[:, None, :]
        mask = encoding.passage_mask[:, None, :]
        if self.settings.find == "pooled":
            place = self.find_embedding[min(context.order, _MOST_FINDS - 1)]
            matches = self._match(asked @ encoding.question + place, context, mask)
        else:  # the paper's: each word of the question looks by itself
            matches = asked @ self._match(encoding.question, context, mask)
        return Attention(matches[:, 0], context.question_attention)

    def _match(self, queries: Tensor, context: Context, mask: Tensor) -> Tensor:
        return masked_softmax(self.similarity(queries, context.encoding.passage), mask)
