"""Positions of known answers and step targets in the tensors of a batch."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

import torch
from torch import Tensor

from workings.arithmetic.support import Support
from workings.encoder.inputs import PassageInput
from workings.supervision.supervise import StepTarget
from workings.training.examples import TrainingExample
from workings.values import Date, Timing

Positions = list[tuple[int, int]]  # (row, column) pairs


def mask_at(positions: Positions, like: Tensor) -> Tensor:
    """A tensor of the shape and type of ``like``: one at the positions, zero elsewhere."""
    mask = torch.zeros_like(like)
    if positions:
        rows, columns = torch.tensor(positions).T
        mask[rows, columns] = 1
    return mask


def number_positions(row: int, numbers: Iterable[Fraction], support: Support) -> Positions:
    """Positions of numbers in a support; numbers that it does not contain are left out."""
    positions = support.positions
    return [(row, positions[number]) for number in numbers if number in positions]


def date_positions(row: int, dates: Iterable[Date], passage: PassageInput) -> Positions:
    """Positions of dates among the dates of a passage; other dates are left out."""
    return [(row, passage.dates.index(date)) for date in dates if date in passage.dates]


def timing_positions(row: int, timings: Iterable[Timing], passage: PassageInput) -> Positions:
    """Positions of times among the distinct times of a passage; other times are left out."""
    known = passage.timings
    return [(row, known.index(timing)) for timing in timings if timing in known]


def token_span(passage: PassageInput, span: tuple[int, int]) -> tuple[int, int]:
    """First and last token of a character span of the passage."""
    return passage.tokens.locate(*span)


def answer_token_spans(example: TrainingExample, offset: int) -> list[tuple[int, int]]:
    """First and last token of each answer span in the question followed by the passage.

    Args:
        example: The example with its known answer.
        offset: Index of the first passage token.
    """
    supervision = example.supervision
    in_passage = [token_span(example.passage, span) for span in supervision.spans]
    in_question = [example.tokens.locate(*span) for span in supervision.question_spans]
    return [(first + offset, last + offset) for first, last in in_passage] + in_question


def counted_positions(row: int, target: StepTarget, example: TrainingExample) -> Positions:
    """The token that represents each counted mention: its first number, or its first token."""
    mentions = example.passage.number_mentions
    number_tokens = {int(first) for first in mentions.first if first >= 0}
    positions = []
    for span in target.spans:
        first, last = token_span(example.passage, span)
        numbers = [token for token in range(first, last + 1) if token in number_tokens]
        positions.append((row, numbers[0] if numbers else first))
    return positions


def candidate_positions(
    row: int, target: StepTarget, example: TrainingExample
) -> tuple[Positions, list[Sequence[int]]]:
    """First tokens of the number mentions of a passage, by whether they mention a target.

    Returns:
        The positions of mentions of other numbers, and for each target number that the passage
        mentions the first tokens of its mentions. Mentions of a number that the target repeats as
        often as the passage are listed one by one: each of them is a target.
    """
    mentions, support = example.passage.number_mentions, example.passage.operands
    repeats = Counter(entry for _, entry in number_positions(row, target.numbers, support))
    targets: dict[int, list[int]] = {entry: [] for entry in repeats}
    others = set()
    for first, entry in zip(mentions.first.tolist(), mentions.entry.tolist(), strict=True):
        if first >= 0:
            if entry in targets:
                targets[entry].append(first)
            else:
                others.add(first)
    # "3.2 million" and 3.2 have the same first token; a token of a target is no other's.
    others -= {first for tokens in targets.values() for first in tokens}
    mentioned: list[Sequence[int]] = []
    for entry, tokens in targets.items():
        if repeats[entry] >= len(tokens):
            mentioned += [[token] for token in tokens]
        else:
            mentioned.append(tokens)
    return [(row, first) for first in sorted(others)], mentioned
