"""The likeliest joint choice of operands that gives an answer.

Steps hold distributions. A reader needs the one calculation behind the answer: among all choices
of different mentions whose result is the answer, the one with the highest product of weights.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial
from heapq import nlargest
from itertools import product
from math import exp
from operator import itemgetter

from torch import Tensor

from workings.arithmetic.operation import DISTANCE, Operation
from workings.budget import check_budget
from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput
from workings.explain.explanation import Source
from workings.inference.calculation import (
    Calculation,
    ChosenOperand,
    date_numbers,
    join,
    sum_of,
)
from workings.inference.subset_choice import likeliest_subset
from workings.inference.word_boundaries import shown_span
from workings.modules import REGISTRY
from workings.network.interpreter import Step
from workings.ops.distinct import MentionWeights
from workings.ops.results import (
    Dates,
    Numbers,
    Result,
    TimingCount,
    Timings,
    TokenProbabilities,
)
from workings.values import (
    CONSTANTS,
    CharSpan,
    Number,
    Timing,
    amount_of,
    read_values,
    timing_numbers,
)

# Choices that are kept of one result: more than the operands of a program that share a value.
_MAX_CHOICES = 8
# Pairs of values that are tried at the last step, at its inputs, at theirs, and below. They bound
# the work for programs of many operands over passages of many equal numbers.
_MAX_PAIRS = (64, 16, 4, 1)


def choose_operands(
    root: Step, encoding: Encoding, row: int, answer: Fraction
) -> Calculation | None:
    """Return the likeliest calculation whose result is the answer.

    Args:
        root: The last step of a program that gives a number.
        encoding: The batch that the program ran on.
        row: The question's row in the batch.
        answer: The number that was answered.

    Returns:
        The calculation; None if the answer cannot be traced to operands.
    """
    chooser = _Chooser(row, encoding.inputs[row], encoding.questions[row].text)
    choices = chooser.choices(root, answer)
    return choices[0] if choices else None


@dataclass(frozen=True)
class _Chooser:
    """Finds the choices of a step by the details that its module recorded, not by its name."""

    row: int
    passage: PassageInput
    question: str
    # For each time difference its choices by their result, which are needed again and again.
    by_distance: dict[int, dict[Fraction, list[Calculation]]] = field(default_factory=dict)
    # The choices that were found, by step, result and depth: many pairs have a value in common.
    found: dict[tuple[int, Fraction, int], list[Calculation]] = field(default_factory=dict)

    def choices(self, step: Step, target: Fraction, depth: int = 0) -> list[Calculation]:
        """Calculations of a step whose result is the target, likeliest first.

        Raises:
            AnswerTimeoutError: The budget in force is exhausted.
        """
        check_budget()
        if not isinstance(step.output, Numbers):
            return []
        key = id(step), target, min(depth, len(_MAX_PAIRS) - 1)
        if key not in self.found:
            found = self._found(step, step.output, target, depth)
            self.found[key] = nlargest(_MAX_CHOICES, found, key=lambda choice: choice.weight)
        return self.found[key]

    def _found(
        self, step: Step, output: Numbers, target: Fraction, depth: int
    ) -> Iterable[Calculation]:
        details = step.details
        if details.counted is not None:
            return self._counted(step, details.counted, target)
        if details.timing is not None:
            return self._timed(step, details.timing, target)
        if details.operands is not None:
            return self._between_dates(step, target)
        if details.operation is not None:
            return self._combined(step, target, depth)
        if details.members is not None:
            return self._totalled(step, details.members, target)
        if output.mention_weights is not None:
            return self._mentioned(step, output.mention_weights, target)
        return [] if step.inputs else self._leaf(step, output, target)

    def _mentioned(
        self, step: Step, weights: MentionWeights, target: Fraction
    ) -> Iterator[Calculation]:
        """Each mention of the target; the constants come after the passage's numbers."""
        numbers = self.passage.values.numbers
        probabilities = weights.weights[self.row].tolist()
        likeliest = self._is_likeliest(step.output, target)
        values = [*(number.value for number in numbers), *CONSTANTS]
        for index, (value, probability) in enumerate(zip(values, probabilities, strict=False)):
            if value != target or probability <= 0:
                continue
            number = numbers[index] if index < len(numbers) else None
            operand = ChosenOperand(
                target,
                (number.start, number.end) if number else None,
                constant=number is None,
                likeliest=likeliest,
                origin=step,
            )
            mention = ("constant", index) if number is None else ("passage", number.start)
            yield Calculation("{0}", (operand,), probability, frozenset({mention}))

    def _leaf(self, step: Step, output: Numbers, target: Fraction) -> Iterator[Calculation]:
        """A step without inputs gives a number of the question, or a constant."""
        position = output.supports[self.row].positions.get(target)
        if position is None:
            return
        weight, likeliest = float(output.weights[self.row, position]), True
        span = None
        if REGISTRY[step.program.name].uses_question:
            numbers = read_values(self.question).numbers
            span = next(((n.start, n.end) for n in numbers if n.value == target), None)
            likeliest = self._is_likeliest(output, target)
        source: Source = "passage" if span is None else "question"
        operand = ChosenOperand(
            target, span, source, constant=span is None, likeliest=likeliest, origin=step
        )
        yield Calculation("{0}", (operand,), weight)

    def _counted(
        self, step: Step, counted: TokenProbabilities, target: Fraction
    ) -> Iterator[Calculation]:
        """The likeliest words, as many as the count; some may count as several things."""
        if step.details.several is not None and target > 0:
            yield from self._counted_with_multiples(step, counted, step.details.several, target)
            return
        spans = self._likeliest_words(counted.passage[self.row, : len(self.passage)], int(target))
        likeliest = self._is_likeliest(step.output, target)
        operands = tuple(
            ChosenOperand(Fraction(1), span, counted=True, likeliest=likeliest, origin=step)
            for span in spans
        )
        if len(operands) == target:
            yield Calculation(sum_of(len(operands)), operands, 1.0, is_count=True)

    def _counted_with_multiples(
        self, step: Step, counted: TokenProbabilities, several: TokenProbabilities, target: Fraction
    ) -> Iterator[Calculation]:
        """The likeliest words whose numbers of things add up to the count."""
        multiples = self.passage.multiples.tolist()
        by_word: dict[CharSpan, list[tuple[Fraction, float]]] = {}
        rows = zip(
            counted.passage[self.row].tolist(),
            several.passage[self.row].tolist(),
            multiples,
            strict=False,
        )
        for token, (member, many, multiple) in enumerate(rows):
            span = shown_span(self.passage.tokens, token)
            options = [(Fraction(1), member * (1 - many)), (Fraction(multiple), member * many)]
            earlier = by_word.get(span)
            if earlier is None or sum(p for _, p in earlier) < member:
                by_word[span] = options if multiple > 1 else [(Fraction(1), member)]
        words = list(by_word)
        subset = likeliest_subset(list(by_word.values()), target)
        if subset is None:
            return
        likeliest = self._is_likeliest(step.output, target)
        operands = tuple(
            ChosenOperand(value, words[index], counted=True, likeliest=likeliest, origin=step)
            for index, value in sorted(subset.members, key=lambda member: words[member.position])
        )
        yield Calculation(sum_of(len(operands)), operands, 1.0, is_count=True)

    def _likeliest_words(self, probabilities: Tensor, count: int) -> list[CharSpan]:
        """Words by falling probability; two pieces of one word count twice if words run out."""
        order = probabilities.argsort(descending=True, stable=True).tolist()
        spans = [shown_span(self.passage.tokens, token) for token in order]
        first = list(dict.fromkeys(spans))
        repeated = spans.copy()
        for span in first:
            repeated.remove(span)
        return sorted((first + repeated)[:count])

    def _totalled(self, step: Step, members: Tensor, target: Fraction) -> Iterator[Calculation]:
        """The likeliest set of mentions whose total or average is the target."""
        numbers, average = self.passage.values.numbers, step.details.aggregate == "average"
        values = [number.value for number in numbers]
        probabilities = members[self.row].tolist()[: len(values)]
        candidates = [[option] for option in zip(values, probabilities, strict=True)]
        subset = likeliest_subset(candidates, target, average=average)
        if subset is None:
            return
        likeliest = self._is_likeliest(step.output, target)
        operands = tuple(
            ChosenOperand(n.value, (n.start, n.end), likeliest=likeliest, origin=step)
            for n in (numbers[member.position] for member in subset.members)
        )
        total = sum_of(len(operands))
        expression = f"({total}) / {len(operands)}" if average and len(operands) > 1 else total
        mentions = frozenset(
            ("passage", numbers[member.position].start) for member in subset.members
        )
        yield Calculation(expression, operands, exp(subset.score), mentions)

    def _timed(self, step: Step, count: TimingCount, target: Fraction) -> Iterator[Calculation]:
        """Mentions of a duration, or pairs of mentions whose distance is the target."""
        first, *others = [list(self._timings(step, o)) for o in step.details.operands or ()]
        if not others:
            for choice, timing in first:
                if amount_of(timing, count.unit) == target:
                    yield _with_value(choice, target)
            return
        numbers = cache(partial(timing_numbers, unit=count.unit, wraps=count.wraps))
        for (end, end_timing), (start, start_timing) in product(first, others[0]):
            values = numbers(end_timing, start_timing)
            if values is None or end.mentions == start.mentions:
                continue
            if abs(values[0] - values[1]) == target:
                left, right = _with_value(end, values[0]), _with_value(start, values[1])
                yield join(DISTANCE, left, right, swap=values[0] < values[1])

    def _timings(self, step: Step, operand: Result) -> Iterator[tuple[Calculation, Timing]]:
        """The mentions of clock times and durations that an event may have."""
        assert isinstance(operand, Timings) and operand.mention_weights is not None
        assert step.details.timing is not None
        weights = operand.mention_weights.weights[self.row].tolist()
        timings, unit = self.passage.timings, step.details.timing.unit
        best = timings[int(operand.weights[self.row, : len(timings)].argmax())] if timings else None
        mentions = self.passage.values.timings
        for index, (mention, weight) in enumerate(zip(mentions, weights, strict=False)):
            if weight > 0:
                chosen = ChosenOperand(
                    Fraction(0),
                    (mention.start, mention.end),
                    timing=mention.timing,
                    clock_unit=unit,
                    likeliest=mention.timing == best,
                    origin=step,
                )
                key = frozenset({("timing", index)})
                yield Calculation("{0}", (chosen,), weight, key), mention.timing

    def _between_dates(self, step: Step, target: Fraction) -> list[Calculation]:
        """Pairs of different date mentions whose distance is the target."""
        if id(step) not in self.by_distance:
            self.by_distance[id(step)] = self._pairs_of_dates(step)
        return self.by_distance[id(step)].get(target, [])

    def _pairs_of_dates(self, step: Step) -> dict[Fraction, list[Calculation]]:
        """The likeliest pairs of date mentions for each distance."""
        assert step.details.operands is not None
        operation, unit = step.details.operation or DISTANCE, step.details.date_unit
        numbers = cache(date_numbers)
        sides = [list(self._dated(step, operand)) for operand in step.details.operands]
        found: dict[Fraction, list[tuple[float, Calculation, Calculation, bool]]] = {}
        for left, right in product(*sides):
            dates = [side.operands[0].date for side in (left, right)]
            values = numbers(dates[0], dates[1], unit)
            if values is None or left.mentions == right.mentions:
                continue
            difference = values[0] - values[1]
            distance = abs(difference) if operation.absolute else difference
            first, second = _with_value(left, values[0]), _with_value(right, values[1])
            weight = left.weight * right.weight
            found.setdefault(distance, []).append((weight, first, second, difference < 0))
        return {
            distance: [
                join(operation, left, right, swap=swap)
                for _, left, right, swap in nlargest(_MAX_CHOICES, pairs, key=itemgetter(0))
            ]
            for distance, pairs in found.items()
        }

    def _dated(self, step: Step, operand: Result) -> Iterator[Calculation]:
        """The mentions of the dates that an event may have; their numbers are not yet known."""
        assert isinstance(operand, Dates) and operand.mention_weights is not None
        weights = operand.mention_weights.weights[self.row].tolist()
        dates = self.passage.dates
        best = dates[int(operand.weights[self.row, : len(dates)].argmax())] if dates else None
        for index, mention in enumerate(self.passage.values.dates):
            if weights[index] > 0:
                chosen = ChosenOperand(
                    Fraction(0),
                    (mention.start, mention.end),
                    date=mention.date,
                    date_unit=step.details.date_unit,
                    likeliest=mention.date == best,
                    origin=step,
                )
                yield Calculation("{0}", (chosen,), weights[index], frozenset({("date", index)}))

    def _is_likeliest(self, output: object, value: Fraction) -> bool:
        """Whether a value is the likeliest one of a step's output."""
        assert isinstance(output, Numbers)
        support = output.supports[self.row]
        best = int(output.weights[self.row, : len(support)].argmax())
        return support.values[best] == value

    def _combined(self, step: Step, target: Fraction, depth: int) -> list[Calculation]:
        """Combine choices of both inputs; a mention is used twice only if there is no other way."""
        operation, (first, second) = step.details.operation, step.inputs
        assert operation is not None
        distinct: list[Calculation] = []
        repeated: list[Calculation] = []
        for bound, *values in self._pairs(step, operation, target)[
            : _MAX_PAIRS[min(depth, len(_MAX_PAIRS) - 1)]
        ]:
            # No choice is likelier than its pair of values: the rest cannot be better.
            if sum(choice.weight >= bound for choice in distinct) >= _MAX_CHOICES:
                break
            for left in self.choices(first, values[0], depth + 1):
                for right in self.choices(second, values[1], depth + 1):
                    joined = join(operation, left, right, swap=values[0] < values[1])
                    (repeated if left.mentions & right.mentions else distinct).append(joined)
        return distinct or repeated

    def _pairs(
        self, step: Step, operation: Operation, target: Fraction
    ) -> list[tuple[float, Fraction, Fraction]]:
        """Pairs of values with the target as result, by falling product of their weights."""
        first, second = (child.output for child in step.inputs)
        assert isinstance(first, Numbers) and isinstance(second, Numbers)
        first, second = first.bounded(second)
        left, right = first.supports[self.row], second.supports[self.row]
        rows, columns = left.pairs_with_result(right, operation, target)
        bounds = first.weights[self.row].cpu()[rows] * second.weights[self.row].cpu()[columns]
        order = bounds.argsort(descending=True, stable=True)
        pairs = zip(
            bounds[order].tolist(), rows[order].tolist(), columns[order].tolist(), strict=True
        )
        return [(bound, left.values[row], right.values[column]) for bound, row, column in pairs]


def longest_mentions(passage: PassageInput) -> list[tuple[int, Number]]:
    """The numbers with their indices; of "3.2" and "3.2 million" only the second."""
    numbers = passage.values.numbers
    ends: dict[int, int] = {}
    for number in numbers:
        ends[number.start] = max(number.end, ends.get(number.start, 0))
    return [(index, n) for index, n in enumerate(numbers) if n.end == ends[n.start]]


def _with_value(choice: Calculation, value: Fraction) -> Calculation:
    """Set the number of a date or a time, which may depend on the other operand."""
    (operand,) = choice.operands
    return replace(choice, operands=(replace(operand, value=value),))
