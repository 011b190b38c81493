"""A run beside a derivation it should have followed: each step with what it must point at."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count, product

from workings.encoder.inputs import PassageInput
from workings.network.interpreter import Step
from workings.ops.results import Dates, Numbers, Result, Span, Spans
from workings.program import Program
from workings.supervision.supervise import Derivation, StepTarget

Place = tuple[int, int]  # first and last piece

_NOTHING = StepTarget(0)
# Their inputs should point where they do themselves.
_STAY = ("filter", "find-num", "find-date", "find-max-num", "find-min-num")


@dataclass(frozen=True)
class Above:
    """What takes a step's result: nothing, for the last one."""

    module: str = ""
    wanted: StepTarget = _NOTHING  # what it must point at, where both should point alike
    read: Numbers | Dates | None = None  # the values read off the result


@dataclass(frozen=True)
class AlignedStep:
    """One step in the order of execution, with what a derivation says of it."""

    number: int  # its turn, from 1
    step: Step
    pick: StepTarget
    inputs: "tuple[AlignedStep, ...]"
    above: Above

    @property
    def sums(self) -> bool:
        """Whether it reckons with numbers that other steps gave."""
        return bool(self.inputs) and all(isinstance(i.step.output, Numbers) for i in self.inputs)

    @property
    def wanted(self) -> StepTarget:
        """The values and words of the passage that this step must point at."""
        if self.sums:
            return _NOTHING
        if "counted" in self.step.notes:
            return replace(_NOTHING, spans=self.pick.spans)
        if "first" in self.step.notes:
            return _joined([turn.pick for turn in self.inputs])
        if isinstance(self.step.output, Span | Spans):
            return replace(_NOTHING, spans=self.inputs[0].wanted.spans)
        return self.pick if _says(self.pick) else self.above.wanted


def follow(root: Step, picks: Mapping[int, StepTarget]) -> list[AlignedStep]:
    """The steps in the order they ran; picks are by the place of a step in ``Program.walk``."""
    done: list[AlignedStep] = []
    _follow(root, picks, count(), Above(), done)
    return done


def _follow(
    step: Step,
    picks: Mapping[int, StepTarget],
    places: Iterator[int],
    above: Above,
    done: list[AlignedStep],
) -> AlignedStep:
    pick = picks.get(next(places), _NOTHING)
    mine = pick if _says(pick) else above.wanted
    inputs = tuple(
        _follow(one, picks, places, _above(step, slot, mine, above), done)
        for slot, one in enumerate(step.inputs)
    )
    done.append(AlignedStep(len(done) + 1, step, pick, inputs, above))
    return done[-1]


def _above(step: Step, slot: int, mine: StepTarget, above: Above) -> Above:
    """What an input of a step has above it."""
    name = step.program.name
    read: Result | None = None
    if name in ("find-num", "find-date"):
        read = step.output
    elif len(step.inputs) == 2 and "first" in step.notes:
        read = step.notes[("first", "second")[slot]]
    elif name == "filter":
        read = above.read
    assert read is None or isinstance(read, Numbers | Dates)
    return Above(name, mine if name in _STAY else _NOTHING, read)


def readings(derivation: Derivation, free: Collection[str]) -> Iterator[dict[int, StepTarget]]:
    """The picks by step, in every order that means the same.

    The two sides of a module in ``free``, such as a sum, may change places if they are alike.
    """
    said = {pick.step: pick for pick in derivation.picks}
    for order in _orders(Program.parse(derivation.program), free, 0):
        yield {place: said[step] for place, step in enumerate(order) if step in said}


def _orders(program: Program, free: Collection[str], first: int) -> Iterator[list[int]]:
    children, starts = program.children, [first + 1]
    for child in children[:-1]:
        starts.append(starts[-1] + sum(1 for _ in child.walk()))
    ways = [starts[: len(children)]]
    if program.name in free and len(set(children)) < len(children):
        ways.append(starts[::-1])
    for way in ways:
        below = (_orders(child, free, start) for child, start in zip(children, way, strict=True))
        for parts in product(*below):
            yield [first, *chain(*parts)]


def places_of(wanted: StepTarget, passage: PassageInput) -> list[list[Place]]:
    """Where each thing stands that must be pointed at: every mention of it will do."""
    text, values = passage.tokens.text, passage.values
    groups: dict[object, list[Place]] = {}
    for number in values.numbers:
        if number.value in wanted.numbers:
            place = passage.tokens.locate(number.start, number.end)
            groups.setdefault(number.value, []).append(place)
    for mention in values.dates:
        if mention.date in wanted.dates:
            place = passage.tokens.locate(mention.start, mention.end)
            groups.setdefault(mention.date, []).append(place)
    for start, end in wanted.spans:
        words = text[start:end].casefold()
        groups.setdefault(words, []).append(passage.tokens.locate(start, end))
    return list(groups.values())


def _says(pick: StepTarget) -> bool:
    return bool(pick.numbers or pick.dates or pick.spans)


def _joined(picks: list[StepTarget]) -> StepTarget:
    return replace(
        _NOTHING,
        numbers=tuple(chain(*(pick.numbers for pick in picks))),
        dates=tuple(chain(*(pick.dates for pick in picks))),
    )
