import torch
from torch import Tensor, nn

from workings.modules.module import Context, Module
from workings.ops.grounding import Similarity, masked_softmax
from workings.ops.results import Attention
from workings.settings import ModuleSettings

_MAX_FINDS = 6


class Find(Module, name="find"):
    """Finds the words of the passage that match the question's."""

    example = "Who scored the first touchdown?"
    uses_question = True

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.similarity = Similarity(width, settings.similarity)
        if settings.find == "pooled":
            # Breaks the symmetry between the finds of one program, which start out identical.
            self.find_embedding = nn.Parameter(torch.randn(_MAX_FINDS, width) * 0.2)

    def forward(self, context: Context) -> Attention:
        encoding, attention = context.encoding, context.question_attention[:, None, :]
        mask = encoding.passage_mask[:, None, :]
        if self.settings.find == "pooled":
            embedding = self.find_embedding[min(context.find_index, _MAX_FINDS - 1)]
            matches = self._match(attention @ encoding.question + embedding, context, mask)
        else:  # the paper's version matches each question token separately
            matches = attention @ self._match(encoding.question, context, mask)
        return Attention(matches[:, 0], context.question_attention)

    def _match(self, queries: Tensor, context: Context, mask: Tensor) -> Tensor:
        return masked_softmax(self.similarity(queries, context.encoding.passage), mask)
