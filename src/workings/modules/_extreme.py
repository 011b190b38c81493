"""The base of modules that find the largest or the smallest number."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from workings.encoder.encoding import Mentions
from workings.modules.module import Context, Module
from workings.ops.grounding import EPSILON, Grounded
from workings.ops.results import Attention, Numbers, TokenProbabilities
from workings.ops.uncertain_sets import (
    Membership,
    largest_member,
    ranked_member,
    weight_above,
)
from workings.settings import ModuleSettings

# The last place that can be requested, as in "the tenth longest river".
_MAX_PLACE = 10


class Extreme(Module):
    """Attends to the largest or smallest number of the events found.

    An optional number gives the place: 2 for the second largest.
    """

    needs = "numbers"
    keeps_place = True
    takes_several = True
    error_category = "pick"

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        if settings.extreme == "set":
            self.membership = Membership(width, settings)

    def forward(
        self, context: Context, events: Attention, place: Numbers | None = None
    ) -> Attention:
        grounded = context.groundings.ground_numbers(events, context.encoding)
        rank = _rank(context.encoding.numbers, largest=not self.prefers_smaller)
        if self.settings.extreme == "set":
            return self._of_set(context, events, grounded, rank, place)
        return self._of_samples(context, grounded, rank, place)

    def _of_set(
        self,
        context: Context,
        events: Attention,
        grounded: Grounded,
        rank: Int[Tensor, "b k"],
        place: Numbers | None,
    ) -> Attention:
        """The extreme of an uncertain set; attends to the tokens of the number itself."""
        encoding = context.encoding
        mentions, length = encoding.numbers, encoding.passage.shape[1]
        vectors = context.groundings.number_vectors(encoding)
        logits = self.membership(events, encoding, vectors, grounded.mentions, mentions.mask)
        members = torch.sigmoid(logits) * mentions.placed
        self._record(context, members)
        if place is None:
            extreme = largest_member(logits, rank, mentions.placed)
        else:
            extreme = ranked_member(members, rank, _places(place))
        return Attention(mentions.spread(extreme, length), torch.zeros_like(events.question))

    def _record(self, context: Context, members: Float[Tensor, "b k"]) -> None:
        length = context.encoding.passage.shape[1]
        # Two numbers may start at one token ("3-4 million"): clamp the sum of their probabilities.
        probabilities = context.encoding.numbers.spread(members, length).clamp(max=1)
        context.details.candidates = TokenProbabilities(probabilities)

    def _of_samples(
        self,
        context: Context,
        grounded: Grounded,
        rank: Int[Tensor, "b k"],
        place: Numbers | None,
    ) -> Attention:
        """The paper's version: the extreme of n samples, traced back to the tokens it came from."""
        mentions, samples = context.encoding.numbers, self.settings.samples
        weights = grounded.mentions * mentions.placed
        self._record(context, weights)
        if place is None:
            total = weights.sum(-1, keepdim=True)
            at_most = (total - weight_above(weights, rank)).clamp(min=0)
            extreme = at_most**samples - (at_most - weights).clamp(min=0) ** samples
        else:  # the paper has no places: each number is a member if a sample hits it
            members = 1 - (1 - weights).clamp(min=0) ** samples
            extreme = ranked_member(members, rank, _places(place))
        share = extreme / weights.clamp(min=EPSILON) * mentions.placed
        tokens = (grounded.tokens * share[:, None, :]).sum(-1)
        return Attention(
            tokens / tokens.sum(-1, keepdim=True).clamp(min=EPSILON),
            torch.zeros_like(context.question_attention),
        )


def _places(place: Numbers) -> Float[Tensor, "b p"]:
    """The probability of the first, second, … place; other numbers are no places."""
    weights = place.weights.new_zeros(len(place.supports), _MAX_PLACE)
    columns = [
        [int(value) - 1 if value.denominator == 1 else -1 for value in support.values]
        for support in place.supports
    ]
    for row, positions in enumerate(columns):
        for source, target in enumerate(positions):
            if 0 <= target < _MAX_PLACE:
                weights[row, target] = place.weights[row, source]
    return weights


def _rank(mentions: Mentions, *, largest: bool) -> Int[Tensor, "b k"]:
    """Rank mentions by their number; of equal numbers the later mention ranks higher."""
    entry, count = mentions.entry, mentions.entry.shape[1]
    order = entry if largest else -entry
    rank: Tensor = order * count + torch.arange(count, device=entry.device)
    return rank
