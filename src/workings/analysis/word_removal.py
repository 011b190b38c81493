"""Passages without some of their words, and which words to take away."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random

from tokenizers import Tokenizer

from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.word_boundaries import word_span
from workings.values import Values

Word = tuple[int, int]  # its characters in the passage

# Of the words a step points at, so many of the heaviest.
MOST = 8
_LEAST = 0.001
_BLANKS = ("[MASK]", "<mask>", "[UNK]", "<unk>", "[PAD]")


def blank_of(tokenizer: Tokenizer) -> int:
    """The piece that says least: the mask, where the tokenizer has one."""
    known = (tokenizer.token_to_id(name) for name in _BLANKS)
    return next((piece for piece in known if piece is not None), 0)


def without(passage: PassageInput, words: Collection[Word], blank: int) -> PassageInput:
    """The same passage, in which some words are blank and the values they made are not read."""
    if not words:
        return passage
    pieces, values = passage.tokens, passage.values
    ids = tuple(
        blank if _touches(place, words) else piece
        for piece, place in zip(pieces.ids, pieces.offsets, strict=True)
    )
    kept = Values(
        tuple(n for n in values.numbers if not _touches((n.start, n.end), words)),
        tuple(d for d in values.dates if not _touches((d.start, d.end), words)),
    )
    return PassageInput(replace(pieces, ids=ids), kept)


def heaviest(pieces: TokenizedText, weights: Sequence[float]) -> list[Word]:
    """The words with the most weight, the heaviest first; a word has the sum of its pieces."""
    total: dict[Word, float] = {}
    for place, weight in enumerate(weights):
        word = word_span(pieces, place, place)
        total[word] = total.get(word, 0.0) + weight
    notable = [word for word, weight in total.items() if weight >= _LEAST]
    return sorted(notable, key=lambda word: -total[word])[:MOST]


def others_like(chosen: Sequence[Word], passage: PassageInput, random: Random) -> list[Word]:
    """For each chosen word another at random: a number for a number, a date for a date.

    Where none of a sort are left, a word of any sort takes the place.
    """
    pieces, values = passage.tokens, passage.values
    words = dict.fromkeys(word_span(pieces, place, place) for place in range(len(pieces)))
    left = [word for word in words if word not in set(chosen)]
    random.shuffle(left)
    found: list[Word] = []
    for word in chosen[: len(left)]:
        sort = _sort(word, values)
        other = next((one for one in left if _sort(one, values) == sort), left[0])
        left.remove(other)
        found.append(other)
    return found


def _sort(word: Word, values: Values) -> str:
    if any(_touches((date.start, date.end), [word]) for date in values.dates):
        return "date"
    number = any(_touches((one.start, one.end), [word]) for one in values.numbers)
    return "number" if number else "word"


def _touches(place: Word, words: Collection[Word]) -> bool:
    return any(place[0] < end and start < place[1] for start, end in words)
