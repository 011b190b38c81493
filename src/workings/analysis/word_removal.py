"""Removal of words from a passage, and the choice of words to remove."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random

from tokenizers import Tokenizer

from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.word_boundaries import word_span
from workings.values import Values

Word = tuple[int, int]  # start and end character in the passage

MAX_WORDS = 8  # words of a step that are removed at most
_MIN_WEIGHT = 0.001
_MASK_TOKENS = ("[MASK]", "<mask>", "[UNK]", "<unk>", "[PAD]")


def mask_token_id(tokenizer: Tokenizer) -> int:
    """The id of the mask token, or of the next best special token."""
    ids = (tokenizer.token_to_id(name) for name in _MASK_TOKENS)
    return next((token for token in ids if token is not None), 0)


def remove_words(passage: PassageInput, words: Collection[Word], mask_id: int) -> PassageInput:
    """Mask words of a passage and drop the numbers and dates they belong to.

    Args:
        passage: The passage. It is not changed.
        words: The character spans to mask.
        mask_id: Id of the token that replaces every token of the words.
    """
    if not words:
        return passage
    tokens, values = passage.tokens, passage.values
    ids = tuple(
        mask_id if _overlaps(offsets, words) else token
        for token, offsets in zip(tokens.ids, tokens.offsets, strict=True)
    )
    remaining = Values(
        tuple(n for n in values.numbers if not _overlaps((n.start, n.end), words)),
        tuple(d for d in values.dates if not _overlaps((d.start, d.end), words)),
        tuple(t for t in values.times if not _overlaps((t.start, t.end), words)),
        tuple(d for d in values.durations if not _overlaps((d.start, d.end), words)),
        tuple(t for t in values.timings if not _overlaps((t.start, t.end), words)),
    )
    return PassageInput(replace(tokens, ids=ids), remaining)


def top_words(tokens: TokenizedText, weights: Sequence[float]) -> list[Word]:
    """The words with the largest weights, at most ``MAX_WORDS``, largest first.

    The weight of a word is the sum over its tokens.
    """
    totals: dict[Word, float] = {}
    for index, weight in enumerate(weights):
        word = word_span(tokens, index, index)
        totals[word] = totals.get(word, 0.0) + weight
    notable = [word for word, weight in totals.items() if weight >= _MIN_WEIGHT]
    return sorted(notable, key=lambda word: -totals[word])[:MAX_WORDS]


def random_words_like(words: Sequence[Word], passage: PassageInput, random: Random) -> list[Word]:
    """Draw another word of the same type for each word: a number for a number, a date for a date.

    Words of any type are drawn once a type is used up. The result is shorter than ``words`` if the
    passage has too few other words.
    """
    tokens, values = passage.tokens, passage.values
    all_words = dict.fromkeys(word_span(tokens, index, index) for index in range(len(tokens)))
    remaining = [word for word in all_words if word not in set(words)]
    random.shuffle(remaining)
    drawn: list[Word] = []
    for word in words[: len(remaining)]:
        word_type = _type(word, values)
        same_type = (other for other in remaining if _type(other, values) == word_type)
        other = next(same_type, remaining[0])
        remaining.remove(other)
        drawn.append(other)
    return drawn


def _type(word: Word, values: Values) -> str:
    if any(_overlaps((date.start, date.end), [word]) for date in values.dates):
        return "date"
    is_number = any(_overlaps((number.start, number.end), [word]) for number in values.numbers)
    is_time = any(_overlaps((timed.start, timed.end), [word]) for timed in values.timings)
    return "number" if is_number else "time" if is_time else "word"


def _overlaps(span: Word, words: Collection[Word]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in words)
