"""The likeliest joint choice of operands that gives an answer.

Steps hold distributions. A reader needs the one calculation behind the answer: among all choices
of different mentions whose result is the answer, the one with the highest product of weights.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from heapq import nlargest

from torch import Tensor

from workings.arithmetic.operation import Operation
from workings.arithmetic.support import Support
from workings.encoder.inputs import PassageInput
from workings.network.interpreter import Step
from workings.ops.distinct import MentionWeights
from workings.ops.results import Dates, Numbers, TokenProbabilities
from workings.values import CONSTANTS

# Values of an operand that are combined, the likeliest first.
_MAX_VALUES = 400
# Choices that are kept of one result: more than the operands of a program that share a value.
_MAX_CHOICES = 8
# Pairs of values that are tried at the last step, at its inputs, at theirs, and below. They bound
# the work for programs of many operands over passages of many equal numbers.
_MAX_PAIRS = (64, 16, 4, 1)

Span = tuple[int, int]


@dataclass(frozen=True)
class ChosenOperand:
    """One operand of a calculation.

    Attributes:
        value: The number.
        span: Its characters in the passage; None for a constant or a computed number.
        constant: Whether it is a constant that the passage does not state.
    """

    value: Fraction
    span: Span | None = None
    constant: bool = False


@dataclass(frozen=True)
class Calculation:
    """Operands with the expression over them; ``{0}``, ``{1}`` … stand for the operands."""

    expression: str
    operands: tuple[ChosenOperand, ...]
    weight: float
    mentions: frozenset[tuple[str, int]] = frozenset()

    @property
    def is_single(self) -> bool:
        """Whether nothing is computed: the expression is one operand."""
        return self.expression == "{0}"


def choose_operands(
    root: Step, row: int, passage: PassageInput, answer: Fraction
) -> Calculation | None:
    """Return the likeliest calculation whose result is the answer.

    Args:
        root: The last step of a program that gives a number.
        row: The question's row in the batch.
        passage: The question's passage.
        answer: The number that was answered.

    Returns:
        The calculation; None if the answer cannot be traced to operands.
    """
    choices = _Chooser(row, passage).choices(root, answer)
    return choices[0] if choices else None


@dataclass(frozen=True)
class _Chooser:
    row: int
    passage: PassageInput

    def choices(self, step: Step, target: Fraction, depth: int = 0) -> list[Calculation]:
        """Calculations of a step whose result is the target, likeliest first."""
        output = step.output
        if not isinstance(output, Numbers):
            return []
        if step.details.counted is not None:
            found: Iterable[Calculation] = self._counted(step.details.counted, target)
        elif step.details.operands is not None:
            found = self._between_dates(step, target)
        elif step.details.operation is not None:
            found = self._combined(step, target, depth)
        elif output.mention_weights is not None:
            found = self._mentioned(output.mention_weights, output, target)
        else:
            found = ()
        return nlargest(_MAX_CHOICES, found, key=lambda choice: choice.weight)

    def _mentioned(
        self, weights: MentionWeights, output: Numbers, target: Fraction
    ) -> Iterator[Calculation]:
        """Each mention of the target; the constants come after the passage's numbers."""
        position = output.supports[self.row].positions.get(target)
        numbers = self.passage.values.numbers
        entries = weights.entry[self.row].tolist()
        probabilities = weights.weights[self.row].tolist()
        for index in range(len(numbers) + len(CONSTANTS)):
            if entries[index] != position or probabilities[index] <= 0:
                continue
            if index < len(numbers):
                operand = ChosenOperand(target, (numbers[index].start, numbers[index].end))
            else:
                operand = ChosenOperand(target, constant=True)
            mention = frozenset({("number", index)})
            yield Calculation("{0}", (operand,), probabilities[index], mention)

    def _counted(self, counted: TokenProbabilities, target: Fraction) -> Iterator[Calculation]:
        """The likeliest tokens, as many as the count."""
        probabilities = counted.passage[self.row, : len(self.passage)]
        tokens = probabilities.topk(min(int(target), len(probabilities))).indices.sort().values
        spans = [self.passage.tokens.offsets[token] for token in tokens.tolist()]
        operands = tuple(ChosenOperand(Fraction(1), span) for span in spans)
        expression = " + ".join(f"{{{index}}}" for index in range(len(operands))) or "0"
        yield Calculation(expression, operands, 1.0)

    def _between_dates(self, step: Step, target: Fraction) -> Iterator[Calculation]:
        """Pairs of different date mentions whose years differ by the target."""
        operation = step.details.operation
        assert step.details.operands is not None and operation is not None
        later, earlier = (self._years(operand) for operand in step.details.operands)
        for first, year, weight in later:
            for second, other_year, other_weight in earlier:
                difference = year - other_year
                if first == second or target != (
                    abs(difference) if operation.absolute else difference
                ):
                    continue
                ends = (year, first), (other_year, second)
                if operation.absolute and year < other_year:
                    ends = ends[1], ends[0]
                operands = tuple(ChosenOperand(*self._dated(*end)) for end in ends)
                mentions = frozenset({("date", first), ("date", second)})
                yield Calculation("{0} - {1}", operands, weight * other_weight, mentions)

    def _years(self, operand: Numbers | Dates) -> list[tuple[int, Fraction, float]]:
        """Index, year and weight of the date mentions that have a year."""
        assert operand.mention_weights is not None
        weights = operand.mention_weights.weights[self.row].tolist()
        mentions = enumerate(self.passage.values.dates)
        return [
            (index, Fraction(mention.date.year), weights[index])
            for index, mention in mentions
            if mention.date.year is not None and weights[index] > 0
        ]

    def _dated(self, year: Fraction, index: int) -> tuple[Fraction, Span]:
        mention = self.passage.values.dates[index]
        return year, (mention.start, mention.end)

    def _combined(self, step: Step, target: Fraction, depth: int) -> list[Calculation]:
        """Combine choices of both inputs; a mention is used twice only if there is no other way."""
        operation, (first, second) = step.details.operation, step.inputs
        assert operation is not None
        distinct: list[Calculation] = []
        repeated: list[Calculation] = []
        for bound, *values in self._pairs(step, operation, target)[: _MAX_PAIRS[min(depth, 3)]]:
            # No choice is likelier than its pair of values: the rest cannot be better.
            if sum(choice.weight >= bound for choice in distinct) >= _MAX_CHOICES:
                break
            for left in self.choices(first, values[0], depth + 1):
                for right in self.choices(second, values[1], depth + 1):
                    joined = _join(operation, left, right, swap=values[0] < values[1])
                    (repeated if left.mentions & right.mentions else distinct).append(joined)
        return distinct or repeated

    def _pairs(
        self, step: Step, operation: Operation, target: Fraction
    ) -> list[tuple[float, Fraction, Fraction]]:
        """Pairs of values with the target as result, by falling product of their weights."""
        (left, left_weights), (right, right_weights) = map(self._support, step.inputs)
        results = left.combine(right, operation)
        position = results.support.positions.get(target)
        if position is None:
            return []
        rows, columns = (results.index == position).nonzero(as_tuple=True)
        bounds = left_weights[rows] * right_weights[columns]
        order = bounds.argsort(descending=True, stable=True)
        pairs = zip(
            bounds[order].tolist(), rows[order].tolist(), columns[order].tolist(), strict=True
        )
        return [(bound, left.values[row], right.values[column]) for bound, row, column in pairs]

    def _support(self, step: Step) -> tuple[Support, Tensor]:
        """The values of a step with their weights; only the likeliest if there are very many."""
        output = step.output
        assert isinstance(output, Numbers)
        support = output.supports[self.row]
        weights = output.weights[self.row, : len(support)].cpu()
        if len(support) <= _MAX_VALUES:
            return support, weights
        likeliest = weights.topk(_MAX_VALUES).indices.sort().values
        values = tuple(support.values[index] for index in likeliest.tolist())
        return Support(values), weights[likeliest]


def _join(
    operation: Operation, left: Calculation, right: Calculation, *, swap: bool
) -> Calculation:
    """Fill two calculations into an operation; the larger operand of a distance comes first."""
    if operation.absolute and swap:
        left, right = right, left
    shift = len(left.operands)
    shifted = right.expression.format(*(f"{{{i + shift}}}" for i in range(len(right.operands))))
    # Sums and differences are read from the left: only other operands need brackets.
    linear = operation.expression in ("{0} + {1}", "{0} - {1}")
    first = left.expression if linear else _bracketed(left.expression)
    second = shifted if operation.expression == "{0} + {1}" else _bracketed(shifted)
    return Calculation(
        operation.format(first, second),
        left.operands + right.operands,
        left.weight * right.weight,
        left.mentions | right.mentions,
    )


def _bracketed(expression: str) -> str:
    return f"({expression})" if " " in expression else expression
