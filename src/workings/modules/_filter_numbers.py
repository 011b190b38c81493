"""The base of modules that keep what has a number above or below a threshold."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from workings.arithmetic.support import Support
from workings.encoder.inputs import PassageInput
from workings.modules.module import Context, Module
from workings.ops.grounding import EPSILON
from workings.ops.results import Attention, Numbers

# Below this share of the attention nothing passes.
_MIN_PASSING = 1e-4


class FilterNumbers(Module):
    """Keeps the words found whose own number lies on one side of a threshold."""

    needs = "numbers"
    keeps_place = True
    takes_several = True
    error_category = "filter"

    def forward(self, context: Context, found: Attention, threshold: Numbers) -> Attention:
        encoding = context.encoding
        passes = self._passes(threshold, encoding.inputs)
        placed = encoding.numbers.placed
        missing = placed.shape[1] - passes.shape[1]
        passes = functional.pad(passes, (0, missing)) * placed  # constants never pass
        keep = (context.groundings.number_rows(encoding) @ passes[..., None])[..., 0]
        weights = keep * found.passage
        total = weights.sum(-1, keepdim=True)
        # Nothing passes: the attention stays empty instead of magnifying rounding errors.
        weights = torch.where(total > _MIN_PASSING, weights / total.clamp(min=EPSILON), weights)
        return Attention(weights, found.question)

    def _passes(self, threshold: Numbers, passages: Sequence[PassageInput]) -> Float[Tensor, "b k"]:
        """The probability that the number of each mention lies on the right side."""
        below = functional.pad(threshold.weights.cumsum(-1), (1, 0))
        sides = [
            _thresholds_below(passage, support, inclusive=self.prefers_smaller)
            for passage, support in zip(passages, threshold.supports, strict=True)
        ]
        index = pad_sequence(sides, batch_first=True).to(below.device)
        at_most = below.gather(1, index)
        # Nothing passes a threshold that is not known.
        return below[:, -1:] - at_most if self.prefers_smaller else at_most


def _thresholds_below(
    passage: PassageInput, support: Support, *, inclusive: bool
) -> Int[Tensor, " k"]:
    """For each mention, how many thresholds lie below its number, or not above it."""
    count = bisect_right if inclusive else bisect_left
    return torch.tensor(
        [count(support.values, number.value) for number in passage.values.numbers],
        dtype=torch.long,
    )
