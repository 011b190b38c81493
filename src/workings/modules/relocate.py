from workings.grounding import Similarity, masked_softmax
from workings.modules.base import Context, Module
from workings.results import Attention
from workings.settings import ModuleSettings


class Relocate(Module, name="relocate"):
    """From the words of an event to the words for who or what took part in it."""

    example = "Who kicked the longest field goal?"
    asks = True

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.similarity = Similarity(width, settings.similarity)

    def forward(self, context: Context, event: Attention) -> Attention:
        encoding = context.encoding
        wanted = context.asked[:, None, :] @ encoding.question
        scores = self.similarity(wanted + encoding.passage, encoding.passage)
        moves = masked_softmax(scores, encoding.passage_mask[:, None, :])
        return Attention((event.passage[:, None, :] @ moves)[:, 0], context.asked)
