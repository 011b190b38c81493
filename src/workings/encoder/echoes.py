"""Echoes: the pieces of a passage that repeat a word of the question."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn

from workings.encoder.inputs import Pieces

NO_ECHO = -1


def echoes(question: Pieces, passage: Pieces) -> list[int]:
    """For each piece of the passage the question's piece it repeats, or ``NO_ECHO``.

    Only whole words echo: the pieces of a rare name also stand in many others.
    """
    asked = dict(reversed(question.words))  # of a word said twice, the first place
    found = [NO_ECHO] * len(passage)
    for word, pieces in passage.words:
        for place, origin in zip(pieces, asked.get(word, ()), strict=False):
            found[place] = origin
    return found


class Labels(nn.Module):
    """A learned vector for each place of the question, shared by the pieces that repeat it.

    A transformer from scratch takes long to learn to compare words; with labels, like words are
    alike from the first step on, names never seen before among them.
    """

    def __init__(self, places: int, width: int) -> None:
        super().__init__()
        self.table = nn.Embedding(places, width)

    def forward(self, head: int, echo: Sequence[int]) -> Float[Tensor, "t d"]:
        """Labels of a question of ``head`` pieces, its marks among them, then of the passage's."""
        asked = [NO_ECHO, *range(head - 2), NO_ECHO]
        places = torch.tensor([*asked, *echo, NO_ECHO], device=self.table.weight.device)
        labels: Tensor = self.table(places.clamp(min=0))
        return labels * (places != NO_ECHO).unsqueeze(-1)
