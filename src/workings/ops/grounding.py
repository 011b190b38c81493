"""Grounding: from attended words to the number and date mentions they belong to."""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from workings.encoder.distance_buckets import bucket
from workings.encoder.encoding import Encoding, Mentions
from workings.encoder.inputs import FEATURES
from workings.ops.distinct import MentionWeights
from workings.ops.mention_distance import attention_by_distance, initial_distance_bias
from workings.ops.results import Attention, Dates, Numbers, Timings
from workings.settings import ModuleSettings
from workings.values import CONSTANTS

EPSILON = 1e-8
# Local grounding: how much a value of the same sentence is preferred at first, and by how much the
# features of a value may change its score.
_INITIAL_SENTENCE_BIAS = 2.0
_FEATURE_BOUND = 2.0


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the unmasked entries of the last axis; zero where all are masked."""
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, -1) * mask


def log_safe(probability: Tensor) -> Tensor:
    """A logarithm that is finite at zero."""
    return torch.log(probability + EPSILON)


def bounded(scores: Tensor, bound: float) -> Tensor:
    """Squash scores smoothly into the range from -bound to bound."""
    return bound * torch.tanh(scores / bound)


def identity_linear(width: int) -> nn.Linear:
    """A linear layer initialised as the identity: at first, similar vectors match."""
    linear = nn.Linear(width, width, bias=False)
    nn.init.eye_(linear.weight)
    return linear


class Similarity(nn.Module):
    """The score of each query with each key, trilinear or bilinear."""

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
    """Attention traced to mentions of values.

    Attributes:
        mentions: Weight of each mention; sums to one if there are mentions.
        passage: Weight of each passage token.
        rows: Distribution of each token over the mentions, or one row that all tokens share.
    """

    mentions: Float[Tensor, "b k"]
    passage: Float[Tensor, "b m"]
    rows: Float[Tensor, "b #m k"]

    @property
    def tokens(self) -> Float[Tensor, "b m k"]:
        """The part of each passage token's weight that goes to each mention."""
        return self.passage[..., None] * self.rows


class Grounding(nn.Module):
    """Traces the attended words of passage and question to mentions of values.

    With C = [αP; (1−α)Q] stacked along tokens, S = C W Vᵀ over the mentions' vectors V,
    A = row softmax of S and D = Σ_i [αp; (1−α)q]_i A_i. With α = 1 only the passage is used.
    The paper matches token by token; the pooled form first averages the attended tokens.

    The local form moves each token's weight to the mentions near the token. It does not match
    vectors: in a joint encoding the vector of a value depends on whether the question asks for the
    value, so a match could find it without the step before.
    """

    def __init__(self, width: int, alpha: float, settings: ModuleSettings) -> None:
        super().__init__()
        self.alpha, self.form = alpha, settings.grounding
        if self.form == "local":
            self.sentence_bias = nn.Parameter(torch.tensor(_INITIAL_SENTENCE_BIAS))
            self.features = nn.Linear(width, FEATURES, bias=False)
            nn.init.zeros_(self.features.weight)
            self.distance_bias = nn.Parameter(2 * initial_distance_bias())
            return
        self.projection = identity_linear(width)
        bias = nn.Parameter(initial_distance_bias()) if settings.distance_bias else None
        self.distance_bias = bias  # type: ignore[assignment]  # None without the setting

    def forward(
        self,
        attention: Attention,
        encoding: Encoding,
        mentions: Mentions,
        vectors: Float[Tensor, "b k d"],
    ) -> Grounded:
        """Ground an attention.

        Args:
            attention: The attended words.
            encoding: The encoded batch.
            mentions: The mentions to choose from.
            vectors: One vector for each mention.
        """
        if self.form == "local":
            rows = self.local_rows(encoding, mentions)
            on_mentions = (attention.passage[:, None, :] @ rows)[:, 0]
            return Grounded(on_mentions, attention.passage, rows)
        keys = self._keys(vectors)
        weights = self.alpha * attention.passage, (1 - self.alpha) * attention.question
        # An attention may have no question part: normalise by the total that is there.
        total = weights[0].sum(-1, keepdim=True) + weights[1].sum(-1, keepdim=True)
        passage, question = (part / total.clamp(min=EPSILON) for part in weights)
        if self.form == "pooled":
            return self._pooled(passage, question, encoding, mentions, keys)
        return self._token_by_token(passage, question, encoding, mentions, keys)

    def _pooled(
        self,
        passage: Float[Tensor, "b m"],
        question: Float[Tensor, "b n"],
        encoding: Encoding,
        mentions: Mentions,
        keys: Float[Tensor, "b d k"],
    ) -> Grounded:
        """Pool the attended words, then match: a single softmax can be sharp from the start."""
        mean = passage[:, None, :] @ encoding.passage + question[:, None, :] @ encoding.question
        scores = (mean @ keys)[:, 0]
        if self.distance_bias is not None:
            bias = attention_by_distance(passage, mentions) @ self.distance_bias
            scores = scores + bias * mentions.placed
        weights = masked_softmax(scores, mentions.mask)
        return Grounded(weights, passage, weights[:, None, :])

    def _token_by_token(
        self,
        passage: Float[Tensor, "b m"],
        question: Float[Tensor, "b n"],
        encoding: Encoding,
        mentions: Mentions,
        keys: Float[Tensor, "b d k"],
    ) -> Grounded:
        """The paper's version: every token has its own distribution, and these are averaged."""
        rows = self._rows(encoding, mentions, keys)
        scores = (1 - self.alpha) * encoding.question @ keys
        question_rows = masked_softmax(scores, mentions.mask[:, None, :])
        weights = passage[:, None, :] @ rows + question[:, None, :] @ question_rows
        return Grounded(weights[:, 0], passage, rows)

    def rows(
        self, encoding: Encoding, mentions: Mentions, vectors: Float[Tensor, "b k d"]
    ) -> Float[Tensor, "b m k"]:
        """The distribution of each passage token over the mentions: the rows of A."""
        if self.form == "local":
            return self.local_rows(encoding, mentions)
        return self._rows(encoding, mentions, self._keys(vectors))

    def local_rows(self, encoding: Encoding, mentions: Mentions) -> Float[Tensor, "b m k"]:
        """The distribution of each passage token over the mentions near it.

        The scores depend on distance and sentence. Within bounds they also depend on the token's
        match with the features of the value, such as its size and its unit.
        """
        scores = self._token_distance_bias(encoding, mentions)
        sentences = encoding.sentences
        of_mention = sentences.gather(1, mentions.first.clamp(min=0))
        same = sentences[:, :, None] == of_mention[:, None, :]
        scores = scores + functional.softplus(self.sentence_bias) * same
        described = self.features(encoding.passage) @ mentions.features.transpose(1, 2)
        scores = scores + bounded(described, _FEATURE_BOUND)
        return masked_softmax(scores, mentions.placed[:, None, :])

    def _rows(
        self, encoding: Encoding, mentions: Mentions, keys: Float[Tensor, "b d k"]
    ) -> Float[Tensor, "b m k"]:
        scores = self.alpha * encoding.passage @ keys
        if self.distance_bias is not None:
            scores = scores + self._token_distance_bias(encoding, mentions)
        return masked_softmax(scores, mentions.mask[:, None, :])

    def _keys(self, vectors: Float[Tensor, "b k d"]) -> Float[Tensor, "b d k"]:
        # There are fewer mentions than tokens, so W is applied to the mentions.
        keys: Tensor = self.projection(vectors).transpose(1, 2) * vectors.shape[-1] ** -0.5
        return keys

    def _token_distance_bias(
        self, encoding: Encoding, mentions: Mentions
    ) -> Float[Tensor, "b m k"]:
        assert self.distance_bias is not None
        position = torch.arange(encoding.passage.shape[1], device=encoding.passage.device)
        distance = position[:, None] - mentions.first[:, None, :]
        return self.distance_bias[bucket(distance)] * mentions.placed[:, None, :]


class Groundings(nn.Module):
    """The groundings that modules share: numbers, dates, and start and end of one event."""

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
        """A copy that computes the vectors of a batch once; valid while no weight changes."""
        groundings = copy(self)
        groundings.cache = {}
        return groundings

    def _cached(self, name: str, encoding: Encoding, compute: Callable[[], Tensor]) -> Tensor:
        if self.cache is None:
            return compute()
        key = (name, id(encoding))
        if key not in self.cache:  # holds the encoding too, so that its id is not reused
            self.cache[key] = (encoding, compute())
        return self.cache[key][1]

    def number_mentions(self, encoding: Encoding) -> Mentions:
        """The mentions that may be operands: with or without the constants."""
        mentions = encoding.numbers
        return mentions if self.settings.constants else replace(mentions, mask=mentions.placed)

    def number_vectors(self, encoding: Encoding) -> Float[Tensor, "b k d"]:
        """One vector for each number mention; constants have learned vectors."""
        return self._cached("numbers", encoding, lambda: self._number_vectors(encoding))

    def _number_vectors(self, encoding: Encoding) -> Float[Tensor, "b k d"]:
        mentions = encoding.numbers
        vectors = mentions.pool(encoding.passage) + self.constants[mentions.constant] * (
            mentions.mask & ~mentions.placed
        ).unsqueeze(-1)
        if not self.settings.number_features:
            return vectors
        features: Tensor = self.number_features(mentions.features)
        return vectors + features

    def date_vectors(self, encoding: Encoding) -> Float[Tensor, "b k d"]:
        """One vector for each date mention."""
        return self._cached("dates", encoding, lambda: encoding.dates.pool(encoding.passage))

    def ground_numbers(self, attention: Attention, encoding: Encoding) -> Grounded:
        """Trace the attended words to mentions of numbers."""
        mentions, vectors = self.number_mentions(encoding), self.number_vectors(encoding)
        grounded: Grounded = self.number(attention, encoding, mentions, vectors)
        return grounded

    def number_rows(self, encoding: Encoding) -> Float[Tensor, "b m k"]:
        """The distribution of each passage token over the mentions of numbers."""
        return self._cached(
            "number rows",
            encoding,
            lambda: self.number.rows(
                encoding, self.number_mentions(encoding), self.number_vectors(encoding)
            ),
        )

    def numbers(self, attention: Attention, encoding: Encoding) -> Numbers:
        """The distribution over the operand list that belongs to the attended words."""
        supports = [passage.operands for passage in encoding.inputs]
        mentions = self.ground_numbers(attention, encoding).mentions
        weights = encoding.numbers.gather(mentions, max(map(len, supports)))
        return Numbers(weights, supports, _weighed(encoding.numbers, mentions))

    def dates(self, attention: Attention, encoding: Encoding, grounding: str = "date") -> Dates:
        """The distribution over dates that belongs to the attended words.

        Args:
            attention: The attended words.
            encoding: The encoded batch.
            grounding: "date", or "start" or "end" for the dates of one event.
        """
        module: Grounding = getattr(self, grounding)
        vectors = self.date_vectors(encoding)
        grounded = module(attention, encoding, encoding.dates, vectors)
        size = max(len(passage.dates) for passage in encoding.inputs)
        weights = encoding.dates.gather(grounded.mentions, size)
        return Dates(weights, _weighed(encoding.dates, grounded.mentions))

    def timings(self, attention: Attention, encoding: Encoding, grounding: str = "date") -> Timings:
        """The distribution over clock times and durations that belongs to the attended words.

        Times are written near the words of their events, as dates are: both share the groundings.

        Args:
            attention: The attended words.
            encoding: The encoded batch.
            grounding: "date", or "start" or "end" for the times of one event.
        """
        module: Grounding = getattr(self, grounding)
        vectors = self._cached("timings", encoding, lambda: encoding.timings.pool(encoding.passage))
        grounded = module(attention, encoding, encoding.timings, vectors)
        size = max(len(passage.timings) for passage in encoding.inputs)
        weights = encoding.timings.gather(grounded.mentions, size)
        return Timings(weights, _weighed(encoding.timings, grounded.mentions))

    def timing_pair(
        self, first: Attention, second: Attention | None, encoding: Encoding
    ) -> tuple[Timings, Timings]:
        """The times of two events, or the end and the start of the only one."""
        if second is None:
            return self.timings(first, encoding, "end"), self.timings(first, encoding, "start")
        return self.timings(first, encoding), self.timings(second, encoding)

    def date_pair(
        self, first: Attention, second: Attention | None, encoding: Encoding
    ) -> tuple[Dates, Dates]:
        """The dates of two events, or the end and the start of the only one."""
        if second is None:
            return self.dates(first, encoding, "end"), self.dates(first, encoding, "start")
        return self.dates(first, encoding), self.dates(second, encoding)

    def rows(self, encoding: Encoding) -> Iterator[tuple[Mentions, Float[Tensor, "b m k"]]]:
        """For each grounding its mentions and the distribution of every token over them."""
        yield self.number_mentions(encoding), self.number_rows(encoding)
        vectors = self.date_vectors(encoding)
        for grounding in (self.date, self.start, self.end):
            yield encoding.dates, grounding.rows(encoding, encoding.dates, vectors)


def _weighed(mentions: Mentions, weights: Float[Tensor, "b k"]) -> MentionWeights:
    return MentionWeights(weights, mentions.entry, mentions.place)


def years(dates: Dates, encoding: Encoding) -> Numbers:
    """The distribution over the years of dates; dates without a year are dropped."""
    supports = [passage.years for passage in encoding.inputs]
    size = max(map(len, supports))
    index = pad_sequence(
        [passage.year_of_date for passage in encoding.inputs], batch_first=True, padding_value=-1
    ).to(dates.weights.device)
    index = torch.where(index < 0, size, index)
    weights = dates.weights.new_zeros(len(supports), size + 1)
    weights = weights.scatter_add(1, index, dates.weights)[:, :size]
    return Numbers(weights, supports, _year_mentions(dates.mention_weights, index, size))


def _year_mentions(
    mentions: MentionWeights | None, index: Int[Tensor, "b d"], size: int
) -> MentionWeights | None:
    """Date mentions as mentions of their years; those without a year have no weight."""
    if mentions is None or not size:
        return None
    entry = index.gather(1, mentions.entry)
    has_year = entry < size
    return MentionWeights(mentions.weights * has_year, entry * has_year, mentions.place)
