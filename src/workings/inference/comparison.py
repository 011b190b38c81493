"""The values that a program compares: candidates of an extreme, and both sides of a comparison.

As for equations, the values shown are the likeliest joint choice that gives the step's result.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from heapq import nlargest
from typing import Literal

from workings.encoder.inputs import PassageInput
from workings.inference.calculation import Calculation
from workings.inference.operand_choice import longest_mentions
from workings.modules import REGISTRY
from workings.network.interpreter import Step
from workings.ops.results import Attention, Dates, Numbers, Result, TokenProbabilities
from workings.values import CharSpan, Date, Number, chronology

Relation = Literal["largest", "smallest", "more", "less", "later", "earlier", "equal"]

# A number belongs to the compared set from this probability on.
_MIN_MEMBER = 0.5


@dataclass(frozen=True)
class ComparedMention:
    """A value that takes part in a comparison, with its characters in the passage."""

    value: Fraction | Date
    span: CharSpan


@dataclass(frozen=True)
class ChosenComparison:
    """Compared values; the chosen one comes first, the others in the order of the passage.

    Attributes:
        step: The step that compares.
        relation: What the chosen value is among the others.
        mentions: The values.
        rank: The place of an extreme: 2 for the second largest.
    """

    step: Step
    relation: Relation
    mentions: tuple[ComparedMention, ...]
    rank: int = 1


def find_comparisons(
    root: Step, row: int, passage: PassageInput, calculation: Calculation | None = None
) -> list[ChosenComparison]:
    """Return the comparisons of a program, in the order of its modules.

    Args:
        root: The last step of the program.
        row: The question's row in the batch.
        passage: The question's passage.
        calculation: The calculation of the answer. If it uses a number that an extreme found, that
            number is the extreme.
    """
    used = _used_numbers(calculation, passage) if calculation is not None else {}
    found = (_comparison(step, row, passage, used.get(id(step))) for step in root.walk())
    return [comparison for comparison in found if comparison is not None]


def _used_numbers(calculation: Calculation, passage: PassageInput) -> dict[int, Number]:
    """The number that a calculation takes from each step with candidates."""
    by_span = {(n.start, n.end, n.value): n for n in passage.values.numbers}
    used: dict[int, Number] = {}
    for operand in calculation.operands:
        if operand.origin is None or operand.span is None:
            continue
        number = by_span.get((*operand.span, operand.value))
        step = operand.origin
        while number is not None and len(step.inputs) == 1:
            (step,) = step.inputs
            if step.details.candidates is not None:
                used[id(step)] = number
                break
    return used


def _comparison(
    step: Step, row: int, passage: PassageInput, used: Number | None
) -> ChosenComparison | None:
    if not isinstance(step.output, Attention):
        return None
    if step.details.candidates is not None:
        return _extreme(step, step.details.candidates, row, passage, used)
    if step.details.operands is not None:
        return _two_sides(step, row, passage)
    return None


def _extreme(
    step: Step,
    candidates: TokenProbabilities,
    row: int,
    passage: PassageInput,
    used: Number | None,
) -> ChosenComparison | None:
    """The likeliest set of numbers in which the winner has the requested place."""
    smallest = REGISTRY[step.program.name].prefers_smaller
    weights = candidates.passage[row].tolist()
    members = [
        (number, weights[passage.tokens.locate(number.start, number.end)[0]])
        for _, number in longest_mentions(passage)
    ]
    members.sort(key=lambda member: member[0].value, reverse=not smallest)
    place = _place(step, row)
    winner = used or _likeliest_in_place(members, place)
    if winner is None:
        return None
    rivals = [member for member in members if member[0].start != winner.start]
    better = [
        m for m in rivals if (m[0].value < winner.value) == smallest and m[0].value != winner.value
    ]
    better = nlargest(place - 1, better, key=lambda member: member[1])
    others = [number for number, _ in better]
    others += [
        number
        for number, weight in rivals
        if weight >= _MIN_MEMBER
        and (number.value >= winner.value if smallest else number.value <= winner.value)
    ]
    others.sort(key=lambda number: number.start)
    mentions = (ComparedMention(n.value, (n.start, n.end)) for n in (winner, *others))
    relation: Relation = "smallest" if smallest else "largest"
    return ChosenComparison(step, relation, tuple(mentions), len(better) + 1)


def _place(step: Step, row: int) -> int:
    """The place among the candidates that a second input gives, as in "second longest"."""
    numbers = [each.output for each in step.inputs if isinstance(each.output, Numbers)]
    if not numbers or not numbers[0].supports[row].values:
        return 1
    values = numbers[0].supports[row].values
    value = values[int(numbers[0].weights[row, : len(values)].argmax())]
    return max(int(value), 1) if value.denominator == 1 else 1


def _likeliest_in_place(members: list[tuple[Number, float]], place: int) -> Number | None:
    """The number most likely to have a place among the members, which are given best first."""
    best, likeliest = None, 0.0
    before = [1.0, *[0.0] * (place - 1)]  # probability of each number of better members
    for number, weight in members:
        probability = min(weight, 1.0)
        if probability * before[-1] > likeliest:
            best, likeliest = number, probability * before[-1]
        shifted = [0.0, *before[:-1]]
        before = [
            none * (1 - probability) + one * probability
            for none, one in zip(before, shifted, strict=True)
        ]
    return best


def _two_sides(step: Step, row: int, passage: PassageInput) -> ChosenComparison | None:
    """The likeliest pair of mentions whose winner is the likelier side of all pairs."""
    assert step.details.operands is not None
    sides = [list(_mentions(operand, row, passage)) for operand in step.details.operands]
    smaller = REGISTRY[step.program.name].prefers_smaller
    total = {1: 0.0, -1: 0.0, 0: 0.0}
    pairs: dict[int, tuple[float, ComparedMention, ComparedMention]] = {}
    for first, first_weight in sides[0]:
        for second, second_weight in sides[1]:
            order = _order(first.value, second.value) * (-1 if smaller else 1)
            weight = first_weight * second_weight
            total[order] += weight
            distinct = first.span != second.span
            if distinct and (order not in pairs or pairs[order][0] < weight):
                pairs[order] = weight, first, second
    # A tie is shown only if there is no pair of different values.
    for order in sorted(pairs, key=lambda order: (order != 0, total[order]), reverse=True):
        _, first, second = pairs[order]
        mentions = (second, first) if order < 0 else (first, second)
        return ChosenComparison(step, _relation(order, first.value, smaller=smaller), mentions)
    return None


def _mentions(
    operand: Result, row: int, passage: PassageInput
) -> Iterator[tuple[ComparedMention, float]]:
    """The mentions of one side with their weights; constants are not compared."""
    assert isinstance(operand, Numbers | Dates)
    if operand.mention_weights is None:
        return
    weights = operand.mention_weights.weights[row].tolist()
    if isinstance(operand, Dates):
        for mention, weight in zip(passage.values.dates, weights, strict=False):
            yield ComparedMention(mention.date, (mention.start, mention.end)), weight
        return
    by_start: dict[int, float] = {}  # "3.2" and "3.2 million" are one mention
    for number, weight in zip(passage.values.numbers, weights, strict=False):
        by_start[number.start] = by_start.get(number.start, 0.0) + weight
    for _, number in longest_mentions(passage):
        yield ComparedMention(number.value, (number.start, number.end)), by_start[number.start]


def _order(first: Fraction | Date, second: Fraction | Date) -> int:
    """1 if the first value is larger or later, -1 if the second is, 0 if they are equal."""
    if isinstance(first, Date) and isinstance(second, Date):
        left, right = chronology(first), chronology(second)
        return (left > right) - (left < right)
    assert isinstance(first, Fraction) and isinstance(second, Fraction)
    return (first > second) - (first < second)


def _relation(order: int, value: Fraction | Date, *, smaller: bool) -> Relation:
    if not order:
        return "equal"
    if isinstance(value, Date):
        return "earlier" if smaller else "later"
    return "less" if smaller else "more"
