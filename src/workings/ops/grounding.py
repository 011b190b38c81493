"""Matching: which tokens go together, and which values the attended words speak of."""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from workings.encoder.distance_buckets import bucket
from workings.encoder.encoding import Encoding, Mentions
from workings.encoder.inputs import FEATURES
from workings.ops.distinct import MentionWeights
from workings.ops.mention_distance import attention_by_distance, initial_distance_bias
from workings.ops.results import Attention, Dates, Numbers
from workings.settings import ModuleSettings
from workings.values import CONSTANTS

EPSILON = 1e-8


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the last axis where the mask allows; all zero where it allows nothing."""
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, -1) * mask


def log_safe(probability: Tensor) -> Tensor:
    """A logarithm that stays finite at zero."""
    return torch.log(probability + EPSILON)


def identity_linear(width: int) -> nn.Linear:
    """A learned map that begins as the identity: at first, like vectors match."""
    linear = nn.Linear(width, width, bias=False)
    nn.init.eye_(linear.weight)
    return linear


class Similarity(nn.Module):
    """How well each query matches each key."""

    def __init__(self, width: int, form: str) -> None:
        super().__init__()
        self.key = nn.Linear(width, 1)
        if form == "trilinear":  # w · [query; key; query ∘ key]
            self.query = nn.Linear(width, 1, bias=False)
            self.scale = nn.Parameter(torch.empty(width).uniform_(-1, 1) * width**-0.5)
        else:
            self.project = identity_linear(width)
        self.form = form

    def forward(
        self, queries: Float[Tensor, "b q d"], keys: Float[Tensor, "b k d"]
    ) -> Float[Tensor, "b q k"]:
        scores: Tensor = self.key(keys).transpose(1, 2)
        if self.form == "trilinear":
            scores = scores + self.query(queries) + (queries * self.scale) @ keys.transpose(1, 2)
        else:
            matched = self.project(queries) @ keys.transpose(1, 2)
            scores = scores + matched * keys.shape[-1] ** -0.5
        return scores


@dataclass(frozen=True)
class Grounded:
    """Attended words mention_weights to mentions of values."""

    mentions: Float[Tensor, "b k"]  # the total of each mention; sums to one where there are any
    passage: Float[Tensor, "b m"]  # the weight of each passage token
    rows: Float[Tensor, "b #m k"]  # where it points, or one row where all point alike

    @property
    def tokens(self) -> Float[Tensor, "b m k"]:
        """The part of each passage token's weight that goes to a mention."""
        return self.passage[..., None] * self.rows


class Grounding(nn.Module):
    """Traces the attended words of passage and question to mentions of values.

    With C = [αP; (1−α)Q] stacked along tokens, S = C W Vᵀ over the mentions' vectors V,
    A = row softmax of S and D = Σ_i [αp; (1−α)q]_i A_i. α = 1 is the passage alone.
    That is the paper's form; pooled, the attended tokens become one vector before it is matched.
    """

    def __init__(self, width: int, alpha: float, settings: ModuleSettings) -> None:
        super().__init__()
        self.alpha, self.pooled = alpha, settings.grounding == "pooled"
        self.projection = identity_linear(width)
        self.distance_bias = (
            nn.Parameter(initial_distance_bias()) if settings.distance_bias else None
        )

    def forward(
        self,
        attention: Attention,
        encoding: Encoding,
        mentions: Mentions,
        vectors: Float[Tensor, "b k d"],
    ) -> Grounded:
        keys = self._keys(vectors)
        weights = self.alpha * attention.passage, (1 - self.alpha) * attention.question
        # A step may hand in no question attention: what is there counts as the whole.
        whole = weights[0].sum(-1, keepdim=True) + weights[1].sum(-1, keepdim=True)
        passage, question = (part / whole.clamp(min=EPSILON) for part in weights)
        if self.pooled:
            return self._pooled(passage, question, encoding, mentions, keys)
        return self._mixed(passage, question, encoding, mentions, keys)

    def _pooled(
        self,
        passage: Float[Tensor, "b m"],
        question: Float[Tensor, "b n"],
        encoding: Encoding,
        mentions: Mentions,
        keys: Float[Tensor, "b d k"],
    ) -> Grounded:
        """Pool the attended words, then match: one softmax, which can be sharp at once."""
        meant = passage[:, None, :] @ encoding.passage + question[:, None, :] @ encoding.question
        scores = (meant @ keys)[:, 0]
        if self.distance_bias is not None:
            scores = (
                scores
                + (attention_by_distance(passage, mentions) @ self.distance_bias) * mentions.placed
            )
        found = masked_softmax(scores, mentions.mask)
        return Grounded(found, passage, found[:, None, :])

    def _mixed(
        self,
        passage: Float[Tensor, "b m"],
        question: Float[Tensor, "b n"],
        encoding: Encoding,
        mentions: Mentions,
        keys: Float[Tensor, "b d k"],
    ) -> Grounded:
        """The paper's: every token points by itself, and what they point at is mixed."""
        rows = self._rows(encoding, mentions, keys)
        scores = (1 - self.alpha) * encoding.question @ keys
        asked = masked_softmax(scores, mentions.mask[:, None, :])
        found = passage[:, None, :] @ rows + question[:, None, :] @ asked
        return Grounded(found[:, 0], passage, rows)

    def rows(
        self, encoding: Encoding, mentions: Mentions, vectors: Float[Tensor, "b k d"]
    ) -> Float[Tensor, "b m k"]:
        """Where each token of the passage points by itself: the rows of A."""
        return self._rows(encoding, mentions, self._keys(vectors))

    def _rows(
        self, encoding: Encoding, mentions: Mentions, keys: Float[Tensor, "b d k"]
    ) -> Float[Tensor, "b m k"]:
        scores = self.alpha * encoding.passage @ keys
        if self.distance_bias is not None:
            scores = scores + self._token_distance_bias(encoding, mentions)
        return masked_softmax(scores, mentions.mask[:, None, :])

    def _keys(self, vectors: Float[Tensor, "b k d"]) -> Float[Tensor, "b d k"]:
        # There are fewer mentions than tokens: W goes to their side.
        keys: Tensor = self.projection(vectors).transpose(1, 2) * vectors.shape[-1] ** -0.5
        return keys

    def _token_distance_bias(
        self, encoding: Encoding, mentions: Mentions
    ) -> Float[Tensor, "b m k"]:
        """A learned preference of each token for the mentions around it."""
        assert self.distance_bias is not None
        place = torch.arange(encoding.passage.shape[1], device=encoding.passage.device)
        distance = place[:, None] - mentions.first[:, None, :]
        return self.distance_bias[bucket(distance)] * mentions.placed[:, None, :]


class Groundings(nn.Module):
    """The groundings all modules share: numbers, dates, and the two ends of a lapse of time."""

    def __init__(self, width: int, settings: ModuleSettings) -> None:
        super().__init__()
        self.settings = settings
        self.number = Grounding(width, settings.alpha_num, settings)
        self.date = Grounding(width, settings.alpha_date, settings)
        self.start = Grounding(width, settings.alpha_date, settings)
        self.end = Grounding(width, settings.alpha_date, settings)
        self.constants = nn.Parameter(torch.randn(len(CONSTANTS), width) * 0.02)
        self.number_features = nn.Linear(FEATURES, width, bias=False)
        nn.init.zeros_(self.number_features.weight)
        self.cache: dict[tuple[str, int], tuple[Encoding, Tensor]] | None = None

    def with_cache(self) -> "Groundings":
        """The same, for programs run while no weight changes: what all steps see is made once."""
        same = copy(self)
        same.cache = {}
        return same

    def _cached(self, name: str, encoding: Encoding, make: Callable[[], Tensor]) -> Tensor:
        if self.cache is None:
            return make()
        key = (name, id(encoding))
        if key not in self.cache:  # the encoding is kept too, so that no other has its id
            self.cache[key] = (encoding, make())
        return self.cache[key][1]

    def number_mentions(self, encoding: Encoding) -> Mentions:
        """The mentions that may be picked: with or without the constants."""
        mentions = encoding.numbers
        return mentions if self.settings.constants else replace(mentions, mask=mentions.placed)

    def number_vectors(self, encoding: Encoding) -> Float[Tensor, "b k d"]:
        """One vector a mention; constants, which stand nowhere, have learned ones."""
        return self._cached("numbers", encoding, lambda: self._number_vectors(encoding))

    def _number_vectors(self, encoding: Encoding) -> Float[Tensor, "b k d"]:
        mentions = encoding.numbers
        vectors = mentions.pool(encoding.passage) + self.constants[mentions.constant] * (
            mentions.mask & ~mentions.placed
        ).unsqueeze(-1)
        return (
            vectors + self.number_features(mentions.features)
            if self.settings.number_features
            else vectors
        )

    def date_vectors(self, encoding: Encoding) -> Float[Tensor, "b k d"]:
        """One vector a mention."""
        return self._cached("dates", encoding, lambda: encoding.dates.pool(encoding.passage))

    def trace_numbers(self, attention: Attention, encoding: Encoding) -> Grounded:
        """The attended words mention_weights to mentions of numbers."""
        mentions, vectors = self.number_mentions(encoding), self.number_vectors(encoding)
        mention_weights: Grounded = self.number(attention, encoding, mentions, vectors)
        return mention_weights

    def numbers(self, attention: Attention, encoding: Encoding) -> Numbers:
        """The attended words as a distribution over the operand list."""
        supports = [one.operands for one in encoding.inputs]
        weights = self.trace_numbers(attention, encoding).mentions
        gathered = encoding.numbers.gather(weights, max(map(len, supports)))
        return Numbers(gathered, supports, MentionWeights(weights, encoding.numbers.entry))

    def dates(self, attention: Attention, encoding: Encoding, which: str = "date") -> Dates:
        """The attended words as a distribution over dates; ``which`` names the grounding."""
        grounding: Grounding = getattr(self, which)
        vectors = self.date_vectors(encoding)
        mention_weights = grounding(attention, encoding, encoding.dates, vectors)
        size = max(len(one.dates) for one in encoding.inputs)
        gathered = encoding.dates.gather(mention_weights.mentions, size)
        return Dates(gathered, MentionWeights(mention_weights.mentions, encoding.dates.entry))

    def rows(self, encoding: Encoding) -> Iterator[tuple[Mentions, Float[Tensor, "b m k"]]]:
        """For each grounding the mentions it points at, and where every token points."""
        numbers = self.number_mentions(encoding)
        yield numbers, self.number.rows(encoding, numbers, self.number_vectors(encoding))
        vectors = self.date_vectors(encoding)
        for grounding in (self.date, self.start, self.end):
            yield encoding.dates, grounding.rows(encoding, encoding.dates, vectors)


def years(dates: Dates, encoding: Encoding) -> Numbers:
    """The years of uncertain dates; the weight of dates without a year is left out."""
    supports = [one.years for one in encoding.inputs]
    size = max(map(len, supports))
    index = pad_sequence(
        [one.year_of_date for one in encoding.inputs], batch_first=True, padding_value=-1
    ).to(dates.weights.device)
    index = torch.where(index < 0, size, index)
    weights = dates.weights.new_zeros(len(supports), size + 1)
    gathered = weights.scatter_add(1, index, dates.weights)[:, :size]
    return Numbers(gathered, supports, _in_years(dates.mention_weights, index, size))


def _in_years(
    mention_weights: MentionWeights | None, index: Int[Tensor, "b d"], size: int
) -> MentionWeights | None:
    """Mentions of dates as mentions of their years; without a year, they weigh nothing."""
    if mention_weights is None or not size:
        return None
    entry = index.gather(1, mention_weights.entry)
    known = entry < size
    return MentionWeights(mention_weights.weights * known, entry * known)
