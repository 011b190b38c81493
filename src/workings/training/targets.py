"""Known answers and picks as places in the tensors that should carry the weight."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

import torch
from torch import Tensor

from workings.arithmetic.support import Support
from workings.encoder.inputs import PassageInput
from workings.supervision.supervise import StepTarget
from workings.training.examples import TrainingExample
from workings.values import Date

Places = list[tuple[int, int]]  # row, column


def mask_of(places: Places, like: Tensor) -> Tensor:
    """Ones at the places, zeros elsewhere."""
    mask = torch.zeros_like(like)
    if places:
        rows, columns = torch.tensor(places).T
        mask[rows, columns] = 1
    return mask


def number_places(row: int, numbers: Iterable[Fraction], support: Support) -> Places:
    return [(row, support.places[number]) for number in numbers if number in support.places]


def date_places(row: int, dates: Iterable[Date], passage: PassageInput) -> Places:
    return [(row, passage.dates.index(date)) for date in dates if date in passage.dates]


def piece_span(passage: PassageInput, span: tuple[int, int]) -> tuple[int, int]:
    """First and last piece of a character span."""
    return passage.tokens.locate(*span)


def answer_spans(example: TrainingExample, offset: int) -> list[tuple[int, int]]:
    """Gold (first, last) pairs over question then passage, whose pieces begin at ``offset``."""
    known = example.supervision
    inside = [piece_span(example.passage, span) for span in known.spans]
    asked = [example.tokens.locate(*span) for span in known.question_spans]
    return [(a + offset, b + offset) for a, b in inside] + asked


def mark_places(row: int, pick: StepTarget, example: TrainingExample) -> Places:
    """The piece that stands for each counted mention: its number's, else its first."""
    numbers = example.passage.number_mentions
    firsts = {int(first) for first in numbers.first if first >= 0}
    found = []
    for span in pick.spans:
        first, last = piece_span(example.passage, span)
        inside = [place for place in range(first, last + 1) if place in firsts]
        found.append((row, inside[0] if inside else first))
    return found


def candidate_places(
    row: int, pick: StepTarget, example: TrainingExample
) -> tuple[Places, list[Sequence[int]]]:
    """TokenizedText of mentions that are no candidates, and for each candidate its own."""
    mentions, support = example.passage.number_mentions, example.passage.operands
    wanted: dict[int, list[int]] = {
        place: [] for _, place in number_places(row, pick.numbers, support)
    }
    others = set()
    for first, entry in zip(mentions.first.tolist(), mentions.entry.tolist(), strict=True):
        if first >= 0:
            if entry in wanted:
                wanted[entry].append(first)
            else:
                others.add(first)
    # "3.2 million" begins where 3.2 does: a piece is either a candidate's or it is not.
    others -= {first for places in wanted.values() for first in places}
    return [(row, first) for first in sorted(others)], [p for p in wanted.values() if p]
