"""Checks of single steps against a derivation: by the values they give or the words they attend to.

docs/analyse.md lists the conditions under which a step is correct.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from torch import Tensor

from workings.analysis.alignment import AlignedStep, TokenSpan, target_spans
from workings.analysis.step_values import Value, likeliest_value, nearest_number
from workings.encoder.inputs import PassageInput
from workings.inference.word_boundaries import word_span
from workings.ops.results import Attention, Dates, Numbers, Result
from workings.supervision.derivation import StepTarget
from workings.values import Date, earlier, format_exact


@dataclass(frozen=True)
class WrongStep:
    """A step that differs from the derivation.

    Attributes:
        aligned: The step.
        category: The category of the error.
        actual: The value or words that the step gave.
        expected: The value or words of the derivation; empty if unknown.
    """

    aligned: AlignedStep
    category: str
    actual: str
    expected: str


def check_step(aligned: AlignedStep, passage: PassageInput, row: int) -> WrongStep | None:
    """Compare a step with its derivation.

    Args:
        aligned: The step and its target.
        passage: The passage of the question.
        row: The question's row in the batch.

    Returns:
        The first difference, or None. A step without a target counts as correct.
    """
    return next(_StepChecker(passage, row).errors(aligned), None)


@dataclass(frozen=True)
class _StepChecker:
    """Checks the steps of one question."""

    passage: PassageInput
    row: int

    def errors(self, aligned: AlignedStep) -> Iterator[WrongStep]:
        """Yield every difference from the derivation, operands first."""
        details = aligned.step.details
        if details.operands is not None:
            yield from self._check_operands(aligned)
        match aligned.step.output:
            case Attention() as output if details.operands is not None:
                yield from self._check_comparison(aligned, output)
            case Attention() as output if details.candidates is not None and aligned.target.numbers:
                yield from self._check_extreme(aligned, output)
            case Attention() as output:
                yield from self._check_attention(aligned, output)
            case Numbers() | Dates() as output:
                yield from self._check_value(aligned, output)

    def _check_operands(self, aligned: AlignedStep) -> Iterator[WrongStep]:
        """Check the two values that a comparison or a time difference reads off its inputs."""
        expected = _values(*(child.derived for child in aligned.inputs))
        if len(expected) != 2:
            return
        for operand, value in zip(aligned.step.details.operands or (), expected, strict=True):
            actual = likeliest_value(operand, self.passage, self.row)
            if actual != value:
                yield WrongStep(aligned, "pick", _text(actual), _text(value))

    def _check_comparison(self, aligned: AlignedStep, output: Attention) -> Iterator[WrongStep]:
        """Check that the output is nearer to the right event than to the other one."""
        numbers, dates = aligned.target.numbers, aligned.target.dates
        if len(numbers) + len(dates) != 2:
            return
        first_is_smaller = numbers[0] < numbers[1] if numbers else earlier(*dates)
        expected = int(first_is_smaller != aligned.module.prefers_smaller)
        distances = [self._distance(output, child.step.output) for child in aligned.inputs]
        if distances[expected] > distances[1 - expected]:
            events = ("the first event", "the second event")
            yield WrongStep(aligned, "arithmetic", events[1 - expected], events[expected])

    def _distance(self, first: Attention, second: Result) -> float:
        assert isinstance(second, Attention)
        passage = (first.passage - second.passage)[self.row].abs().sum()
        return float(passage + (first.question - second.question)[self.row].abs().sum())

    def _check_extreme(self, aligned: AlignedStep, output: Attention) -> Iterator[WrongStep]:
        """Check the number at, or nearest to, the token with the largest weight."""
        smallest = aligned.module.prefers_smaller
        expected = (min if smallest else max)(aligned.target.numbers)
        top = int(self._weights(output).argmax())
        nearest = nearest_number(self.passage, top)
        actual = None if nearest is None else nearest.value
        if actual != expected:
            yield WrongStep(aligned, "pick", _text(actual), _text(expected))

    def _check_attention(self, aligned: AlignedStep, output: Attention) -> Iterator[WrongStep]:
        """Check that the attention covers the mentions of the target."""
        values_read = aligned.consumer.values_read
        if values_read is not None and likeliest_value(
            values_read, self.passage, self.row
        ) in _values(aligned.target):
            return  # the right value was read off it, whatever words it attends to
        mentions = target_spans(aligned.target, self.passage)
        weights = self._weights(output)
        missed = [spans for spans in mentions if not self._covers(aligned, spans, weights)]
        # A step for several things must cover each; for others one mentioned thing is enough.
        if missed and (_seeks_several(aligned) or len(missed) == len(mentions)):
            top = int(weights.argmax())
            expected = " · ".join(self._words(*spans[0]) for spans in missed)
            category = aligned.module.error_category
            yield WrongStep(aligned, category, self._words(top, top), expected)

    def _covers(self, aligned: AlignedStep, spans: list[TokenSpan], weights: Tensor) -> bool:
        """Whether the weights lie on one of the spans, or on its sentence where that is enough."""
        if aligned.consumer.gives_span or aligned.module.exact_words:
            top = int(weights.argmax())
            return any(first <= top <= last for first, last in spans)
        sentences = self.passage.sentences
        totals = weights.new_zeros(int(sentences.max()) + 1).scatter_add(0, sentences, weights)
        even_share = totals.sum() / len(totals)
        minimum = even_share if _seeks_several(aligned) else totals.max()
        return any(bool(totals[sentences[first]] >= minimum) for first, _ in spans)

    def _check_value(self, aligned: AlignedStep, output: Numbers | Dates) -> Iterator[WrongStep]:
        expected, actual = _values(aligned.derived), likeliest_value(output, self.passage, self.row)
        if not expected or actual == expected[0]:
            return
        # The error of an arithmetic step is attributed to an operand without a target, if any.
        unknown = [
            child
            for child in aligned.inputs
            if aligned.combines_numbers and not child.derived.numbers
        ]
        if unknown:
            operand = unknown[0]
            number = _text(likeliest_value(operand.step.output, self.passage, self.row))
            yield WrongStep(operand, operand.module.error_category, number, "")
        category = aligned.module.error_category
        yield WrongStep(aligned, category, _text(actual), _text(expected[0]))

    def _weights(self, attention: Attention) -> Tensor:
        return attention.passage[self.row, : len(self.passage)].detach().cpu()

    def _words(self, first: int, last: int) -> str:
        start, end = word_span(self.passage.tokens, first, last)
        return f"“{self.passage.tokens.text[start:end]}”"


def _values(*targets: StepTarget) -> list[Value]:
    values: list[Value] = []
    for target in targets:
        values += target.numbers or target.dates
    return values


def _seeks_several(aligned: AlignedStep) -> bool:
    return aligned.consumer.takes_several or len(aligned.target.dates) > 1


def _text(value: Value | None) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, Date) else format_exact(value)
