from fractions import Fraction

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from workings.arithmetic.support import Support
from workings.modules._attention_reader import AttentionReader
from workings.modules.module import Context, Module
from workings.ops.results import Attention, Numbers, TokenProbabilities
from workings.ops.uncertain_sets import Membership, count_members, count_with_multiples
from workings.settings import ModuleSettings

# Standard deviation of the paper's distribution around the estimated count.
_DEVIATION = 0.5
# Initial log-odds that a mention beside a small number counts as that many things.
_INITIAL_SEVERAL = -2.0


class Count(Module, name="count"):
    """Counts the attended mentions."""

    example = "How many field goals did the home team kick?"
    takes_several = True
    error_category = "count"

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.support = Support(tuple(map(Fraction, range(settings.largest_count + 1))))
        if settings.count != "gru":
            self.membership = Membership(width, settings)
        if settings.count == "multiples":
            self.several = nn.Linear(width, 1)
            nn.init.zeros_(self.several.weight)
            nn.init.constant_(self.several.bias, _INITIAL_SEVERAL)
        if settings.count == "gru":
            self.reader = AttentionReader()
            self.score = nn.Linear(AttentionReader.width, 1)

    def forward(self, context: Context, things: Attention) -> Numbers:
        encoding, largest = context.encoding, self.settings.largest_count
        if self.settings.count == "gru":
            counted = self.read_attention(things.passage, encoding.passage_mask)
            weights = _around(counted.sum(-1, keepdim=True), largest)
        elif self.settings.count == "multiples":
            counted = self._members(context, things)
            multiples = encoding.multiples
            several = torch.sigmoid(self.several(encoding.passage)[..., 0]) * (multiples > 1)
            context.details.several = TokenProbabilities(several)
            weights = count_with_multiples(counted, several, multiples, largest)
        else:
            counted = self._members(context, things)
            weights = count_members(counted, largest)
        context.details.counted = TokenProbabilities(counted)
        return Numbers(weights, [self.support] * len(encoding))

    def read_attention(
        self, weights: Float[Tensor, "b m"], mask: Bool[Tensor, "b m"]
    ) -> Float[Tensor, "b m"]:
        """The paper's version: how much each token adds to the count, from the attention alone."""
        logits: Tensor = self.score(self.reader(weights, mask))
        return torch.sigmoid(logits[..., 0]) * mask

    def _members(self, context: Context, things: Attention) -> Float[Tensor, "b m"]:
        """The probability that each token is a mention to count."""
        encoding = context.encoding
        logits: Tensor = self.membership(
            things, encoding, encoding.passage, things.passage, encoding.passage_mask
        )
        return torch.sigmoid(logits) * encoding.passage_mask


def _around(estimate: Float[Tensor, "b 1"], largest: int) -> Float[Tensor, "b s"]:
    """The paper's version: a normal distribution around the estimate, over whole numbers."""
    numbers = torch.arange(largest + 1, device=estimate.device)
    distance = numbers - estimate.clamp(max=largest)
    return torch.softmax(-(distance**2) / (2 * _DEVIATION**2), -1)
