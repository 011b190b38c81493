"""The base of modules that combine the numbers of an uncertain set of mentions."""

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from workings.modules.module import Context, Module
from workings.ops.results import Attention, Numbers, TokenProbabilities
from workings.ops.uncertain_sets import Membership
from workings.settings import ModuleSettings


class SetArithmetic(Module):
    """An operation on the numbers that belong to the attended words, however many there are."""

    needs = "numbers"
    takes_several = True
    error_category = "arithmetic"
    aggregate: ClassVar[Literal["sum", "average"]]

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__(width, settings)
        self.membership = Membership(width, settings)

    def forward(self, context: Context, things: Attention) -> Numbers:
        encoding, mentions = context.encoding, context.encoding.numbers
        grounded = context.groundings.ground_numbers(things, encoding)
        logits = self.membership(
            things,
            encoding,
            context.groundings.number_vectors(encoding),
            grounded.mentions,
            mentions.placed,
        )
        members = torch.sigmoid(logits) * mentions.placed
        context.details.members, context.details.aggregate = members, self.aggregate
        spread = mentions.spread(members, encoding.passage.shape[1]).clamp(max=1)
        context.details.candidates = TokenProbabilities(spread)
        numbers = [[n.value for n in passage.values.numbers] for passage in encoding.inputs]
        return self.combine(members, numbers)

    @abstractmethod
    def combine(
        self, members: Float[Tensor, "b k"], numbers: Sequence[Sequence[Fraction]]
    ) -> Numbers:
        """The distribution of the result.

        Args:
            members: The probability that each mention of a number is a member.
            numbers: The number of each mention.
        """
