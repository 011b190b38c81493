"""Echoes: the pieces of a passage that repeat a word of the question."""

from collections import Counter
from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from workings.encoder.distance import DISTANCES, bucket
from workings.encoder.inputs import Pieces

NO_ECHO = -1


def echoes(question: Pieces, passage: Pieces) -> list[int]:
    """For each piece of the passage where the question first has its word, or ``NO_ECHO``.

    Only whole words echo: the pieces of a rare name also stand in many others. And a word echoes
    as one: a name never seen before is cut into more pieces than a known one.
    """
    asked = {word: pieces[0] for word, pieces in reversed(question.words)}
    found = [NO_ECHO] * len(passage)
    for word, pieces in passage.words:
        for place in pieces:
            found[place] = asked.get(word, NO_ECHO)
    return found


class Labels(nn.Module):
    """A learned vector for each place of the question, shared by the pieces that repeat it.

    A transformer from scratch takes long to learn to compare words; with labels, like words are
    alike from the first step on, names never seen before among them. Labels are heard around:
    a number tells by them whose it is, the more so the nearer and the rarer in the passage.
    """

    def __init__(self, places: int, width: int) -> None:
        super().__init__()
        self.table = nn.Embedding(places, width)
        away = (torch.arange(DISTANCES) - DISTANCES // 2).abs()
        self.reach = nn.Parameter(0.7**away * (away > 0))

    def forward(
        self, asked: Sequence[Sequence[int]], heard: Sequence[Sequence[int]]
    ) -> list[Float[Tensor, "t d"]]:
        """The labels of readings: of what the question echoes itself, then of the passage."""
        device = self.table.weight.device
        heads = [len(own) + 2 for own in asked]  # its pieces between two marks
        rows = [
            [NO_ECHO, *own, NO_ECHO, *echo, NO_ECHO] for own, echo in zip(asked, heard, strict=True)
        ]
        places = pad_sequence(
            [torch.tensor(row, device=device) for row in rows],
            batch_first=True,
            padding_value=NO_ECHO,
        )
        labels = self.table(places.clamp(min=0)) * (places != NO_ECHO).unsqueeze(-1)
        rarity = pad_sequence(
            [torch.tensor(_rarity(*pair)) for pair in zip(heads, heard, strict=True)],
            batch_first=True,
        ).to(labels)
        place = torch.arange(places.shape[1], device=device)
        around = self.reach[bucket(place[:, None] - place)]
        inside = place >= torch.tensor(heads, device=device)[:, None]
        labels = labels + around @ (labels * rarity[..., None]) * inside[..., None]
        return [label[: len(row)] for label, row in zip(labels, rows, strict=True)]


def _rarity(head: int, echo: Sequence[int]) -> list[float]:
    """How much each piece is heard around it: those of the question not at all."""
    times = Counter(echo)
    return [0.0] * head + [1 / times[place] for place in echo] + [0.0]
