"""Decoding: from the outputs of the heads to one answer per question."""

from collections.abc import Iterator
from fractions import Fraction
from math import exp

from workings.encoder.encoding import Encoding
from workings.inference.decoding import Prediction, decode
from workings.peers.heads import TYPES, HeadOutputs
from workings.peers.signs import best_signs, signed_sum
from workings.values import format_number


def decode_heads(outputs: HeadOutputs, encoding: Encoding, *, joint: bool) -> list[Prediction]:
    """Choose one answer for each question.

    Args:
        outputs: The outputs of the heads.
        encoding: The batch.
        joint: Choose the answer with the highest probability of type and answer together;
            otherwise choose the likeliest type first, then its likeliest answer.
    """
    return [_decode_row(outputs, encoding, row, joint=joint) for row in range(len(encoding))]


def _decode_row(outputs: HeadOutputs, encoding: Encoding, row: int, *, joint: bool) -> Prediction:
    types = dict(zip(TYPES, outputs.types[row].exp().tolist(), strict=True))
    if not outputs.operands[row]:
        del types["signs"]
    if not joint:
        return _best_of_type(max(types, key=types.__getitem__), outputs, encoding, row)
    options = ((types[name], _best_of_type(name, outputs, encoding, row)) for name in types)
    return max(options, key=lambda option: option[0] * option[1].probability)[1]


def _best_of_type(name: str, outputs: HeadOutputs, encoding: Encoding, row: int) -> Prediction:
    """The likeliest answer of one type."""
    if name == "signs":
        return _best_sum(outputs, encoding, row)
    if name == "count":
        count = int(outputs.counts[row].argmax())
        return Prediction((str(count),), float(outputs.counts[row, count].exp()), Fraction(count))
    return decode(outputs.passage if name == "passage" else outputs.question, encoding, row)


def _best_sum(outputs: HeadOutputs, encoding: Encoding, row: int) -> Prediction:
    signs, score = best_signs(outputs.labels[row], outputs.operands[row])
    value = signed_sum(signs, outputs.operands[row])
    places = tuple(_mention_places(encoding, row, [mention for mention, _ in signs]))
    return Prediction((format_number(value),), exp(score), value, places)


def _mention_places(
    encoding: Encoding, row: int, mentions: list[int]
) -> Iterator[tuple[str, int, int]]:
    """Yield the place of each number in the passage; constants have none."""
    numbers = encoding.inputs[row].values.numbers
    for mention in mentions:
        if mention < len(numbers):
            yield "passage", numbers[mention].start, numbers[mention].end
