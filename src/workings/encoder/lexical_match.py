"""Embeddings of lexical matches between question and passage, for encoders from scratch."""

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


def lexical_matches(question: TokenizedText, text: TokenizedText) -> list[int]:
    """For each token of a text the position of its word in the question, or ``NO_MATCH``.

    Only whole words match, since pieces of a rare name occur in many other words. All pieces of a
    word share one position, since unseen names have more pieces. Plurals match their singular.
    """
    position = {_stem(word): tokens[0] for word, tokens in reversed(question.words)}
    matches = [NO_MATCH] * len(text)
    for word, tokens in text.words:
        for token in tokens:
            matches[token] = position.get(_stem(word), NO_MATCH)
    return matches


def _stem(word: str) -> str:
    return _PLURAL.sub("", word) if len(word) > 3 else word


class LexicalMatchEmbedding(nn.Module):
    """A learned vector for each question position, shared by the tokens that match it.

    A transformer from scratch takes long to learn to compare words. With these labels equal words
    are alike from the first step, unseen names included. Labels are propagated to nearby tokens,
    weighted by rarity and distance: at first within a clause only. Each token learns the distance
    from which it takes labels.
    """

    def __init__(self, positions: int, width: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(positions, width)
        distance = (torch.arange(DISTANCES) - DISTANCES // 2).abs()
        self.distance_weight = nn.Parameter(0.7**distance * (distance > 0))
        self.token_weight = nn.Linear(width, DISTANCES, bias=False)
        nn.init.zeros_(self.token_weight.weight)
        self.across_clauses = nn.Parameter(torch.tensor(0.0))

    def forward(
        self, windows: Sequence[QuestionWindow], states: Sequence[Float[Tensor, "_ d"]]
    ) -> list[Float[Tensor, "_ d"]]:
        """The label vectors of each window's tokens.

        Args:
            windows: Questions with passage windows.
            states: The token vectors of each.
        """
        none = (NO_MATCH,)
        matches = self._pad(
            [
                (*none, *window.question_matches, *none, *window.passage_matches, *none)
                for window in windows
            ]
        )
        labels = self.embedding(matches.clamp(min=0)) * (matches != NO_MATCH).unsqueeze(-1)
        rarity = self._pad([_rarity(window) for window in windows]).to(labels)
        position = torch.arange(matches.shape[1], device=matches.device)
        padded_states = pad_sequence(list(states), batch_first=True)
        by_distance = self.distance_weight + self.token_weight(padded_states)
        distance = bucket(position[:, None] - position)
        weights = by_distance.gather(-1, distance.expand(len(windows), -1, -1))
        clause = self._pad([_clauses(window) for window in windows])
        same = clause[:, :, None] == clause[:, None, :]
        weights = torch.where(same, weights, weights * self.across_clauses)
        labels = labels + (weights @ (labels * rarity[..., None])) * (clause >= 0)[..., None]
        return [label[: len(window)] for label, window in zip(labels, windows, strict=True)]

    def _pad(self, rows: Sequence[Sequence[int | float]]) -> Tensor:
        device = self.embedding.weight.device
        return pad_sequence(
            [torch.tensor(row, device=device) for row in rows],
            batch_first=True,
            padding_value=NO_MATCH,
        )


def _rarity(window: QuestionWindow) -> list[float]:
    """The weight with which each token's label is propagated; zero for the question."""
    count = Counter(window.passage_matches)
    passage = [count[match] ** -0.5 for match in window.passage_matches]
    return [0.0] * len(window.question_ids) + passage + [0.0]


def _clauses(window: QuestionWindow) -> list[int]:
    """The clause of each token; ``NO_MATCH`` for the question, which takes no labels."""
    return [NO_MATCH] * len(window.question_ids) + [*window.clauses, NO_MATCH]
