"""Echoes: the pieces of a passage that repeat a word of the question."""

import re
from collections import Counter
from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from workings.encoder.distance_buckets import DISTANCES, bucket
from workings.encoder.inputs import TokenizedText
from workings.encoder.windows import QuestionWindow

NO_MATCH = -1
_PLURAL = re.compile("(?<=ss|.x|ch|sh)es$|(?<=[^su])s$")  # passes and boxes; sieges and runs


def lexical_matches(question: TokenizedText, passage: TokenizedText) -> list[int]:
    """For each piece of the passage where the question first has its word, or ``NO_MATCH``.

    Only whole words echo: the pieces of a rare name also stand in many others. And a word lexical_matches
    as one: a name never seen before is cut into more pieces than a known one. What is asked for
    in the plural lexical_matches what is told in the singular.
    """
    asked = {_stem(word): pieces[0] for word, pieces in reversed(question.words)}
    found = [NO_MATCH] * len(passage)
    for word, pieces in passage.words:
        for place in pieces:
            found[place] = asked.get(_stem(word), NO_MATCH)
    return found


def _stem(word: str) -> str:
    """A word without what makes it a plural, if it is one."""
    return _PLURAL.sub("", word) if len(word) > 3 else word


class LexicalMatchEmbedding(nn.Module):
    """A learned vector for each place of the question, shared by the pieces that repeat it.

    A transformer from scratch takes long to learn to compare words; with labels, like words are
    alike from the first step on, names never seen before among them. LexicalMatchEmbedding are heard around:
    a number tells by them whose it is, the more so the rarer they are in the passage, at first in
    its own clause alone, and from as far and from which side as its own words say.
    """

    def __init__(self, places: int, width: int) -> None:
        super().__init__()
        self.table = nn.Embedding(places, width)
        away = (torch.arange(DISTANCES) - DISTANCES // 2).abs()
        self.reach = nn.Parameter(0.7**away * (away > 0))
        self.listen = nn.Linear(width, DISTANCES, bias=False)
        nn.init.zeros_(self.listen.weight)
        self.beyond = nn.Parameter(torch.tensor(0.0))  # what of it is heard in other clauses

    def forward(
        self, readings: Sequence[QuestionWindow], states: Sequence[Float[Tensor, "_ d"]]
    ) -> list[Float[Tensor, "_ d"]]:
        """The labels of readings: of what the question lexical_matches itself, then of the passage."""
        none = (NO_MATCH,)
        places = self._stack([(*none, *one.own, *none, *one.echo, *none) for one in readings])
        labels = self.table(places.clamp(min=0)) * (places != NO_MATCH).unsqueeze(-1)
        loud = self._stack([_rarity(one) for one in readings]).to(labels)
        place = torch.arange(places.shape[1], device=places.device)
        listened = self.reach + self.listen(pad_sequence(list(states), batch_first=True))
        away = bucket(place[:, None] - place)
        around = listened.gather(-1, away.expand(len(readings), -1, -1))
        clause = self._stack([_clauses(one) for one in readings])
        same = clause[:, :, None] == clause[:, None, :]
        heard = torch.where(same, around, around * self.beyond) @ (labels * loud[..., None])
        labels = labels + heard * (clause >= 0)[..., None]
        return [label[: len(one)] for label, one in zip(labels, readings, strict=True)]

    def _stack(self, rows: Sequence[Sequence[int | float]]) -> Tensor:
        device = self.table.weight.device
        return pad_sequence(
            [torch.tensor(row, device=device) for row in rows],
            batch_first=True,
            padding_value=NO_MATCH,
        )


def _rarity(reading: QuestionWindow) -> list[float]:
    """How much each piece is heard around it: those of the question not at all."""
    times = Counter(reading.echo)
    return [0.0] * len(reading.head) + [times[place] ** -0.5 for place in reading.echo] + [0.0]


def _clauses(reading: QuestionWindow) -> list[int]:
    """The clause of each piece of the passage; the question hears nothing."""
    return [NO_MATCH] * len(reading.head) + [*reading.clauses, NO_MATCH]
