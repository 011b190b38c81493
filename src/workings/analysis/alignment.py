"""Alignment of an execution with a derivation: each step with the passage values it must find."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count, product

from workings.encoder.inputs import PassageInput
from workings.modules import REGISTRY, Module
from workings.network.interpreter import Step
from workings.ops.results import Attention, Dates, Numbers, Span, Spans, Timings
from workings.program import Program
from workings.settings import ModuleSettings
from workings.supervision.derivation import Derivation, StepTarget

TokenSpan = tuple[int, int]  # first and last token

_NO_TARGET = StepTarget(0)


@dataclass(frozen=True)
class Consumer:
    """The step that takes another step's result as input; empty for the root.

    Attributes:
        step: The consuming step.
        target: The consumer's own target, if its input should attend to the same words.
        values_read: The values that the consumer, or a step above it, reads off the input.
    """

    step: Step | None = None
    target: StepTarget = _NO_TARGET
    values_read: Numbers | Dates | None = None

    @property
    def takes_several(self) -> bool:
        """Whether the input may attend to several mentions."""
        return self.step is not None and _module_of(self.step).takes_several

    @property
    def gives_span(self) -> bool:
        """Whether the consumer turns its input into the words of the answer."""
        return self.step is not None and isinstance(self.step.output, Span)


@dataclass(frozen=True)
class AlignedStep:
    """One step of an execution with its target in a derivation.

    Attributes:
        number: Position in the order of execution, from 1.
        step: The executed step.
        derived: The derivation's target for the step; empty if the derivation has none.
        inputs: The aligned inputs of the step.
        consumer: The step that takes the result.
    """

    number: int
    step: Step
    derived: StepTarget
    inputs: "tuple[AlignedStep, ...]"
    consumer: Consumer

    @property
    def module(self) -> type[Module]:
        """The class of the step's module."""
        return _module_of(self.step)

    @property
    def combines_numbers(self) -> bool:
        """Whether the step computes with numbers that other steps produced."""
        return bool(self.inputs) and all(isinstance(i.step.output, Numbers) for i in self.inputs)

    @property
    def target(self) -> StepTarget:
        """The values and words of the passage that the step must point at."""
        if self.combines_numbers:
            return _NO_TARGET
        if self.step.details.counted is not None:
            return replace(_NO_TARGET, spans=self.derived.spans)
        if self.step.details.operands is not None:
            return _joined([aligned.derived for aligned in self.inputs])
        if isinstance(self.step.output, Span | Spans):
            return replace(_NO_TARGET, spans=self.inputs[0].target.spans)
        return self.derived if _is_known(self.derived) else self.consumer.target


def align_steps(root: Step, targets: Mapping[int, StepTarget]) -> list[AlignedStep]:
    """Align the steps of an execution with the targets of a derivation.

    Args:
        root: The last step of the execution.
        targets: Targets by the position of their step in ``Program.walk``.

    Returns:
        The aligned steps in the order of execution, inputs first.
    """
    aligned: list[AlignedStep] = []
    _align(root, targets, count(), Consumer(), aligned)
    return aligned


def _align(
    step: Step,
    targets: Mapping[int, StepTarget],
    positions: Iterator[int],
    consumer: Consumer,
    aligned: list[AlignedStep],
) -> AlignedStep:
    derived = targets.get(next(positions), _NO_TARGET)
    target = derived if _is_known(derived) else consumer.target
    inputs = tuple(
        _align(child, targets, positions, _consumer_of(step, slot, target, consumer), aligned)
        for slot, child in enumerate(step.inputs)
    )
    aligned.append(AlignedStep(len(aligned) + 1, step, derived, inputs, consumer))
    return aligned[-1]


def _consumer_of(step: Step, slot: int, target: StepTarget, consumer: Consumer) -> Consumer:
    """Describe a step as the consumer of its input number ``slot``."""
    module = _module_of(step)
    values: Numbers | Dates | None = None
    if module.keeps_place and isinstance(step.output, Numbers | Dates):
        values = step.output
    elif len(step.inputs) == 2 and step.details.operands is not None:
        operand = step.details.operands[slot]
        values = None if isinstance(operand, Timings) else operand
    elif module.keeps_place and isinstance(step.output, Attention):
        # A maximum or minimum reads more candidates than the one value that is read in the end.
        values = consumer.values_read if step.details.candidates is None else None
    return Consumer(step, target if module.keeps_place else _NO_TARGET, values)


def equivalent_targets(
    derivation: Derivation, settings: ModuleSettings
) -> Iterator[dict[int, StepTarget]]:
    """Yield the targets of a derivation by step, in every order with the same meaning.

    Two inputs of a commutative module may be exchanged if their programs are equal.
    """
    targets = {target.step: target for target in derivation.targets}
    for order in _orders(Program.parse(derivation.program), settings, 0):
        yield {position: targets[step] for position, step in enumerate(order) if step in targets}


def _orders(program: Program, settings: ModuleSettings, first: int) -> Iterator[list[int]]:
    """Yield the step numbers of a program in each equivalent order, counted from ``first``."""
    children, starts = program.children, [first + 1]
    for child in children[:-1]:
        starts.append(starts[-1] + sum(1 for _ in child.walk()))
    arrangements = [starts[: len(children)]]
    if len(set(children)) < len(children) and REGISTRY[program.name].commutes(settings):
        arrangements.append(starts[::-1])
    for arrangement in arrangements:
        suborders = (
            _orders(child, settings, start)
            for child, start in zip(children, arrangement, strict=True)
        )
        for parts in product(*suborders):
            yield [first, *chain(*parts)]


def target_spans(target: StepTarget, passage: PassageInput) -> list[list[TokenSpan]]:
    """Locate every mention of each value or phrase of a target.

    Returns:
        One list of token spans for each distinct value or phrase. Any mention of it is correct.
    """
    tokens, values = passage.tokens, passage.values
    mentions: dict[object, list[TokenSpan]] = {}
    for number in values.numbers:
        if number.value in target.numbers:
            span = tokens.locate(number.start, number.end)
            mentions.setdefault(number.value, []).append(span)
    for mention in values.dates:
        if mention.date in target.dates:
            span = tokens.locate(mention.start, mention.end)
            mentions.setdefault(mention.date, []).append(span)
    for timed in values.timings:
        if timed.timing in target.timings:
            span = tokens.locate(timed.start, timed.end)
            mentions.setdefault(timed.timing, []).append(span)
    for start, end in target.spans:
        words = tokens.text[start:end].casefold()
        mentions.setdefault(words, []).append(tokens.locate(start, end))
    return list(mentions.values())


def _module_of(step: Step) -> type[Module]:
    return REGISTRY[step.program.name]


def _is_known(target: StepTarget) -> bool:
    return bool(target.numbers or target.dates or target.timings or target.spans)


def _joined(targets: list[StepTarget]) -> StepTarget:
    return replace(
        _NO_TARGET,
        numbers=tuple(chain(*(target.numbers for target in targets))),
        dates=tuple(chain(*(target.dates for target in targets))),
        timings=tuple(chain(*(target.timings for target in targets))),
    )
