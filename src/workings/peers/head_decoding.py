"""From what the heads say to one answer a question."""

from collections.abc import Iterator
from fractions import Fraction
from math import exp

from workings.encoder.encoding import Encoding
from workings.inference.decoding import Prediction, decode
from workings.peers.heads import TYPES, HeadOutputs
from workings.peers.signs import best_signs, signed_sum
from workings.values import format_number


def decide(said: HeadOutputs, encoding: Encoding, *, joint: bool) -> list[Prediction]:
    """The best answer of the likeliest type; or, jointly, the likeliest answer of any type."""
    return [_decide(said, encoding, row, joint=joint) for row in range(len(encoding))]


def _decide(said: HeadOutputs, encoding: Encoding, row: int, *, joint: bool) -> Prediction:
    types = dict(zip(TYPES, said.types[row].exp().tolist(), strict=True))
    if not said.operands[row]:
        del types["signs"]
    if not joint:
        return _answer(max(types, key=types.__getitem__), said, encoding, row)
    options = ((types[name], _answer(name, said, encoding, row)) for name in types)
    return max(options, key=lambda option: option[0] * option[1].probability)[1]


def _answer(name: str, said: HeadOutputs, encoding: Encoding, row: int) -> Prediction:
    """The likeliest answer of one type."""
    if name == "signs":
        return _sum(said, encoding, row)
    if name == "count":
        count = int(said.counts[row].argmax())
        return Prediction((str(count),), float(said.counts[row, count].exp()), Fraction(count))
    return decode(said.passage if name == "passage" else said.question, encoding, row)


def _sum(said: HeadOutputs, encoding: Encoding, row: int) -> Prediction:
    signs, score = best_signs(said.labels[row], said.operands[row])
    value = signed_sum(signs, said.operands[row])
    places = tuple(_places(encoding, row, [place for place, _ in signs]))
    return Prediction((format_number(value),), exp(score), value, places)


def _places(encoding: Encoding, row: int, used: list[int]) -> Iterator[tuple[str, int, int]]:
    """Where the numbers used stand; constants stand nowhere."""
    numbers = encoding.inputs[row].values.numbers
    for place in used:
        if place < len(numbers):
            yield "passage", numbers[place].start, numbers[place].end
