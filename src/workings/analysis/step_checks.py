"""When a step is right: by the values it picks, or by the words it looks at most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from torch import Tensor

from workings.analysis.alignment import AlignedStep, Place, places_of
from workings.encoder.inputs import PassageInput
from workings.inference.word_boundaries import word_span
from workings.ops.results import Attention, Dates, Numbers, Result, Span, Spans
from workings.supervision.supervise import StepTarget
from workings.values import Date, earlier, format_exact

Value = Fraction | Date

# What is handed to these may point at more than is wanted in the end, or at several things.
_SEVERAL = ("filter", "find-max-num", "find-min-num", "count", "spans")


@dataclass(frozen=True)
class WrongStep:
    """A step that did not do as it should, and how it should have done."""

    turn: AlignedStep
    fault: str
    given: str
    wanted: str


def judge(turn: AlignedStep, passage: PassageInput, row: int) -> WrongStep | None:
    """What is wrong with a step, if anything is; a step of which nothing is known is not."""
    return next(_Judge(passage, row).faults(turn), None)


def fault_of(turn: AlignedStep) -> str:
    """The sort of fault that a step can have."""
    output, notes = turn.step.output, turn.step.notes
    if isinstance(output, Span | Spans):
        return "span"
    if "counted" in notes:
        return "count"
    if turn.sums or "first" in notes:
        return "arithmetic"
    if isinstance(output, Numbers | Dates) or "candidates" in notes:
        return "pick"
    return "filter" if turn.step.program.name == "filter" else "find"


@dataclass(frozen=True)
class _Judge:
    """Looks at one row of a run over one passage."""

    passage: PassageInput
    row: int

    def faults(self, turn: AlignedStep) -> Iterator[WrongStep]:
        """All that is wrong, first things first."""
        notes = turn.step.notes
        if "first" in notes:
            yield from self._read_off(turn)
        match turn.step.output:
            case Attention() as chosen if "first" in notes:
                yield from self._compared(turn, chosen)
            case Attention() as best if "candidates" in notes and turn.wanted.numbers:
                yield from self._extreme(turn, best)
            case Attention() as words:
                yield from self._pointed(turn, words)
            case Numbers() | Dates() as values:
                yield from self._valued(turn, values)

    def _read_off(self, turn: AlignedStep) -> Iterator[WrongStep]:
        """The two values that a comparison or a lapse of time reads off what it is given."""
        wanted = _values(*(one.pick for one in turn.inputs))
        if len(wanted) != 2:
            return
        for name, value in zip(("first", "second"), wanted, strict=True):
            given = self._top(turn.step.notes[name])
            if given != value:
                yield WrongStep(turn, "pick", _written(given), _written(value))

    def _compared(self, turn: AlignedStep, chosen: Attention) -> Iterator[WrongStep]:
        """A comparison mixes its two events: the wanted one must have the greater share."""
        numbers, dates = turn.wanted.numbers, turn.wanted.dates
        if len(numbers) + len(dates) != 2:
            return
        rises = numbers[0] < numbers[1] if numbers else earlier(*dates)
        wanted = int(rises != turn.step.program.name.endswith("lt"))
        far = [self._distance(chosen, one.step.output) for one in turn.inputs]
        if far[wanted] > far[1 - wanted]:
            events = ("the first event", "the second event")
            yield WrongStep(turn, "arithmetic", events[1 - wanted], events[wanted])

    def _distance(self, one: Attention, other: Result) -> float:
        assert isinstance(other, Attention)
        passage = (one.passage - other.passage)[self.row].abs().sum()
        return float(passage + (one.question - other.question)[self.row].abs().sum())

    def _extreme(self, turn: AlignedStep, best: Attention) -> Iterator[WrongStep]:
        """The number at its heaviest piece, or the nearest to it, is the one that wins."""
        largest = turn.step.program.name == "find-max-num"
        wanted = (max if largest else min)(turn.wanted.numbers)
        heaviest = int(self._weights(best).argmax())
        places = {
            n: self.passage.tokens.locate(n.start, n.end) for n in self.passage.values.numbers
        }
        nearest = min(places, key=lambda n: _gap(places[n], heaviest), default=None)
        given = None if nearest is None else nearest.value
        if given != wanted:
            yield WrongStep(turn, "pick", _written(given), _written(wanted))

    def _pointed(self, turn: AlignedStep, words: Attention) -> Iterator[WrongStep]:
        read = turn.above.read
        if read is not None and self._top(read) in _values(turn.wanted):
            return  # wherever it looks, the value wanted was read off it
        groups = places_of(turn.wanted, self.passage)
        weights = self._weights(words)
        missed = [group for group in groups if not self._hits(turn, group, weights)]
        # Of several things each must be hit; otherwise each is another way to be right.
        if missed and (_seeks_several(turn) or len(missed) == len(groups)):
            heaviest = int(weights.argmax())
            wanted = " · ".join(self._words(*group[0]) for group in missed)
            yield WrongStep(turn, fault_of(turn), self._words(heaviest, heaviest), wanted)

    def _hits(self, turn: AlignedStep, group: list[Place], weights: Tensor) -> bool:
        if turn.above.module == "span" or turn.step.program.name == "relocate":
            heaviest = int(weights.argmax())
            return any(first <= heaviest <= last for first, last in group)
        sentences = self.passage.sentences
        totals = weights.new_zeros(int(sentences.max()) + 1).scatter_add(0, sentences, weights)
        even = totals.sum() / len(totals)
        least = even if _seeks_several(turn) else totals.max()
        return any(bool(totals[sentences[first]] >= least) for first, _ in group)

    def _valued(self, turn: AlignedStep, values: Numbers | Dates) -> Iterator[WrongStep]:
        wanted, given = _values(turn.pick), self._top(values)
        if not wanted or given == wanted[0]:
            return
        # If nothing is known of a number that was reckoned with, that number is to attribute_error.
        odd = [one for one in turn.inputs if turn.sums and not one.pick.numbers]
        if odd:
            number = _written(self._top(odd[0].step.output))
            yield WrongStep(odd[0], fault_of(odd[0]), number, "")
        yield WrongStep(turn, fault_of(turn), _written(given), _written(wanted[0]))

    def _top(self, result: Result) -> Value | None:
        """The likeliest value."""
        assert isinstance(result, Numbers | Dates)
        known: Sequence[Value] = self.passage.dates
        if isinstance(result, Numbers):
            known = result.supports[self.row].values
        weights = result.weights[self.row, : len(known)]
        return known[int(weights.argmax())] if len(known) else None

    def _weights(self, words: Attention) -> Tensor:
        return words.passage[self.row, : len(self.passage)].detach().cpu()

    def _words(self, first: int, last: int) -> str:
        start, end = word_span(self.passage.tokens, first, last)
        return f"“{self.passage.tokens.text[start:end]}”"


def _values(*picks: StepTarget) -> list[Value]:
    found: list[Value] = []
    for pick in picks:
        found += pick.numbers or pick.dates
    return found


def _seeks_several(turn: AlignedStep) -> bool:
    return turn.above.module in _SEVERAL or len(turn.wanted.dates) > 1


def _gap(place: Place, piece: int) -> int:
    return max(place[0] - piece, piece - place[1], 0)


def _written(value: Value | None) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, Date) else format_exact(value)
