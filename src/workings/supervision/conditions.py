"""Conditions of a question on the numbers of things: "over 40 yards", "between 25 and 60"."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from workings.supervision import plans
from workings.supervision.derivation import Plan
from workings.values import CharSpan, Number, read_values

_ABOVE = re.compile(
    r"(?<!how many )(?<!how much )(?<!no )(?<!not )\b(?:over|above|beyond|more than|greater than|"
    r"longer than|larger than|bigger than|higher than|farther than|further than|older than|"
    r"heavier than|better than|at least|no less than|no fewer than|no shorter than|"
    r"exceed(?:s|ed|ing)?|upwards of|a minimum of)$",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"(?<!no )(?<!not )\b(?:under|below|less than|fewer than|shorter than|smaller than|"
    r"lower than|younger than|lighter than|cheaper than|at most|up to|no more than|"
    r"not more than|no longer than|within|a maximum of)$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\b(?:between|from)$", re.IGNORECASE)
_AND = re.compile(r"[\w%-]*\s*(?:\w+\s+){0,2}?(?:and|to)\s+[$£€]?$", re.IGNORECASE)
_OR_MORE = re.compile(
    r"^[\s-]*(?:\w+\s+){0,2}?(?:or|and) (?:more|longer|over|above|better|higher|greater|larger|"
    r"older|up|further|farther)\b",
    re.IGNORECASE,
)
_OR_LESS = re.compile(
    r"^[\s-]*(?:\w+\s+){0,2}?(?:or|and) (?:less|fewer|under|below|shorter|lower|smaller|younger)\b",
    re.IGNORECASE,
)
_BEFORE_NUMBER = re.compile(r"(?:\s+(?:an?|the))?[\s$£€]*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Condition:
    """A threshold that the question states.

    Attributes:
        above: Whether the numbers must be above the threshold; otherwise below it.
        threshold: The threshold.
        span: The characters of the question that state it.
    """

    above: bool
    threshold: Fraction
    span: CharSpan

    def holds(self, number: Fraction) -> bool:
        """Whether a number is strictly on the right side of the threshold."""
        return number > self.threshold if self.above else number < self.threshold


def read_conditions(question: str) -> tuple[Condition, ...]:
    """The conditions that a question puts on the numbers of things.

    "At least" and "at most" are read like "over" and "under": ``Condition.holds`` is strict, so
    that a number equal to the threshold meets neither.
    """
    numbers = [n for n in read_values(question).numbers if n.unit != "ordinal"]
    for first, second in pairwise(numbers):
        before = _words_before(question, first)
        joint = question[first.end : second.start]
        if _BETWEEN.search(before) and _AND.fullmatch(joint) and first.value < second.value:
            start = len(_BETWEEN.sub("", before))
            return (
                Condition(True, first.value, (start, second.end)),
                Condition(False, second.value, (start, second.end)),
            )
    found = (_condition(question, number) for number in numbers)
    return tuple(condition for condition in found if condition is not None)


def conditions_met(question: str, numbers: Iterable[Fraction]) -> tuple[Condition, ...]:
    """The conditions of a question, or none if a number fails one of them."""
    conditions, values = read_conditions(question), list(numbers)
    met = all(condition.holds(value) for condition in conditions for value in values)
    return conditions if met else ()


def without_conditions(question: str, conditions: Iterable[Condition]) -> str:
    """The question without the words of its conditions."""
    for start, end in sorted({condition.span for condition in conditions}, reverse=True):
        question = question[:start] + question[end:]
    return question


def keep(events: Plan, conditions: Sequence[Condition], spans: Sequence[CharSpan] = ()) -> Plan:
    """The events whose numbers meet the conditions; ``spans`` are the mentions that remain."""
    for index, condition in enumerate(conditions):
        threshold = plans.question_number(condition.threshold)
        is_last = index == len(conditions) - 1
        keep_some = plans.keep_above if condition.above else plans.keep_below
        events = keep_some(events, threshold, spans if is_last else ())
    return events


def _condition(question: str, number: Number) -> Condition | None:
    before, after = _words_before(question, number), question[number.end :]
    for pattern, above in ((_ABOVE, True), (_BELOW, False)):
        match = pattern.search(before)
        if match:
            return Condition(above, number.value, (match.start(), number.end))
    for pattern, above in ((_OR_MORE, True), (_OR_LESS, False)):
        match = pattern.search(after)
        if match:
            return Condition(above, number.value, (number.start, number.end + match.end()))
    return None


def _words_before(question: str, number: Number) -> str:
    return _BEFORE_NUMBER.sub("", question[: number.start])
