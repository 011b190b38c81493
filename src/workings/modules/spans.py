from workings.modules.module import Context, Module
from workings.ops.results import Attention, Spans
from workings.ops.uncertain_sets import Membership
from workings.settings import ModuleSettings


class SpansAnswer(Module, name="spans"):
    """All phrases of the passage that together are the answer."""

    example = "Which players scored a touchdown?"
    takes_several = True
    error_category = "span"

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.membership = Membership(width, settings)

    def forward(self, context: Context, words: Attention) -> Spans:
        encoding = context.encoding
        logits = self.membership(
            words, encoding, encoding.passage, words.passage, encoding.passage_mask
        )
        return Spans(logits)
