from fractions import Fraction

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from workings.arithmetic.support import Support
from workings.modules._attention_reader import AttentionReader
from workings.modules.module import Context, Module
from workings.ops.results import Attention, Numbers, TokenProbabilities
from workings.ops.uncertain_sets import Membership, total
from workings.settings import ModuleSettings

# How far the paper's counter spreads its estimate.
_SPREAD = 0.5


class Count(Module, name="count"):
    """How many of the things asked about the attended words mention."""

    example = "How many field goals did the home team kick?"

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.support = Support(tuple(map(Fraction, range(settings.largest_count + 1))))
        if settings.count == "set":
            self.membership = Membership(width)
        else:
            self.reader = AttentionReader()
            self.score = nn.Linear(AttentionReader.width, 1)

    def forward(self, context: Context, things: Attention) -> Numbers:
        encoding, largest = context.encoding, self.settings.largest_count
        if self.settings.count == "set":
            marks = self._by_text(context, things)
            weights = total(marks, largest)
        else:
            marks = self.by_weights(things.passage, encoding.passage_mask)
            weights = _around(marks.sum(-1, keepdim=True), largest)
        context.note("counted", TokenProbabilities(marks))
        return Numbers(weights, [self.support] * len(encoding))

    def by_weights(
        self, weights: Float[Tensor, "b m"], mask: Bool[Tensor, "b m"]
    ) -> Float[Tensor, "b m"]:
        """The paper's counter, which sees attention but no words: what each word adds."""
        logits: Tensor = self.score(self.reader(weights, mask))
        return torch.sigmoid(logits[..., 0]) * mask

    def _by_text(self, context: Context, things: Attention) -> Float[Tensor, "b m"]:
        encoding = context.encoding
        logits: Tensor = self.membership(
            things, encoding, encoding.passage, things.passage, encoding.passage_mask
        )
        return torch.sigmoid(logits) * encoding.passage_mask


def _around(estimate: Float[Tensor, "b 1"], largest: int) -> Float[Tensor, "b s"]:
    """The paper's: whole numbers near the estimate, by a bell curve."""
    places = torch.arange(largest + 1, device=estimate.device)
    distance = places - estimate.clamp(max=largest)
    return torch.softmax(-(distance**2) / (2 * _SPREAD**2), -1)
