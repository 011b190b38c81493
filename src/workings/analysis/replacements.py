"""Replacements of a step's output: other words of the passage that it could have attended to."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import torch
from jaxtyping import Float
from torch import Tensor

from workings.analysis.alignment import AlignedStep, align_steps
from workings.analysis.step_values import Value, likeliest_value, nearest_number, recompute
from workings.analysis.word_removal import Word, top_words
from workings.data.content_words import content_words
from workings.encoder.inputs import PassageInput
from workings.inference.decoding import Prediction
from workings.inference.word_boundaries import true_runs, word_span
from workings.network.interpreter import Step
from workings.ops.results import Attention, Dates, Numbers, Result, Span, Spans
from workings.values import Date, chronology

# Total variation distance from which two attentions count as different: a filter that moves less of
# its input dropped nothing, and two events that differ less are the same event.
MIN_DISTANCE = 0.2
# Probability from which a number is a candidate of a maximum or minimum.
MIN_CANDIDATE = 0.1
# Share of the attention on the mention itself where a find is put on another value. The rest lies
# evenly on the words of its clause that are at most so many tokens away.
MENTION_SHARE, NEARBY = 0.5, 8
# Largest share of the attention on a place that a relocate is moved to.
MAX_OWN_SHARE = 0.05

OTHER_SENTENCE = "other sentence"
OTHER_VALUE = "other value"
IDENTITY = "identity"
OTHER_PLACE = "other place"
OTHER_CANDIDATE = "other candidate"
OTHER_EVENT = "other event"
OTHER_EVENT_WORDS = "other event's words"  # the question part stays

_NAME = re.compile(r"[A-Z][\w'’-]*(?:[ ][A-Z][\w'’-]*)*")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
# Examples show the words with at least this share of the largest weight, up to so many characters.
_MIN_SHOWN, _MAX_SHOWN = 0.1, 160


@dataclass(frozen=True)
class Replacement:
    """Another output of one step.

    Attributes:
        position: Position of the step in ``Program.walk``.
        module: Name of the step's module.
        name: Name of the replacement.
        passage: The attention over the passage.
        words: The attended words, for people.
        question: The attention over the question; None keeps the one that the step computed.
        value: The value that must be read off the new attention; None if no value is read.
        answer: The answer that follows from this value; None if it is not a value.
        place: The characters that the answer must overlap; None if it need not.
        flips: Whether the answer must become the other option of the question.
    """

    position: int
    module: str
    name: str
    passage: Float[Tensor, " m"]
    words: str
    question: Float[Tensor, " n"] | None = None
    value: Value | None = None
    answer: Value | None = None
    place: Word | None = None
    flips: bool = False


def replacements(
    root: Step, row: int, passage: PassageInput, answer: Prediction, random: Random
) -> list[Replacement]:
    """List the replacements of an execution, one for each step and kind of replacement.

    ``docs/analyse.md`` describes them. A replacement that the passage does not allow is left out.

    Args:
        root: The last step of the execution.
        row: The question's row in the batch.
        passage: The passage of the question.
        answer: The answer of the execution.
        random: Draws among the possible places.
    """
    position_of = {id(step): position for position, step in enumerate(root.walk())}
    builder = _ReplacementBuilder(root, row, passage, answer, random, position_of)
    aligned = sorted(align_steps(root, {}), key=lambda each: position_of[id(each.step)])
    return [replacement for step in aligned for replacement in builder.build(step)]


@dataclass(frozen=True)
class _Mention:
    """A mention of a number or date with its tokens; dates have no unit."""

    value: Value
    unit: str
    first: int
    last: int


@dataclass(frozen=True)
class _ReplacementBuilder:
    """Builds the replacements of one question."""

    root: Step
    row: int
    passage: PassageInput
    answer: Prediction
    random: Random
    position_of: dict[int, int]

    def build(self, aligned: AlignedStep) -> Iterator[Replacement]:
        """Yield the replacements of one step; only attentions are replaced."""
        step, output = aligned.step, aligned.step.output
        if not isinstance(output, Attention):
            return
        if not step.inputs:
            yield from self._of_find(aligned, output)
        elif step.details.operands is not None:
            yield from self._of_comparison(step, output)
        elif step.details.candidates is not None:
            yield from self._of_extreme(aligned, output)
        elif aligned.module.keeps_place:
            yield from self._of_filter(step, output)
        else:
            yield from self._of_relocate(step, output)

    def _of_find(self, aligned: AlignedStep, output: Attention) -> Iterator[Replacement]:
        read = aligned.consumer.values_read
        if read is None or not self._is_compared(read):
            sentences = self._other_sentences(output, read)
            if sentences:
                tokens = self.random.choice(sentences)
                attention = _even(output.passage[self.row], tokens)
                yield self._replacement(aligned.step, OTHER_SENTENCE, attention)
        if read is not None:
            others = self._other_values(read, self._mentions(dates=isinstance(read, Dates)))
            options = self._same_unit(others, likeliest_value(read, self.passage, self.row))
            yield from self._on_value(aligned.step, OTHER_VALUE, read, options, self._on_clause)

    def _of_comparison(self, step: Step, output: Attention) -> Iterator[Replacement]:
        events = [child.output for child in step.inputs if isinstance(child.output, Attention)]
        if len(events) != 2 or self._distance(*events) < MIN_DISTANCE:
            return
        other = max(events, key=lambda event: self._distance(event, output))
        attention, question = other.passage[self.row], other.question[self.row]
        yield self._replacement(step, OTHER_EVENT, attention, question=question, flips=True)
        yield self._replacement(step, OTHER_EVENT_WORDS, attention, flips=True)

    def _of_extreme(self, aligned: AlignedStep, output: Attention) -> Iterator[Replacement]:
        assert aligned.step.details.candidates is not None
        candidates = aligned.step.details.candidates.passage[self.row]
        chosen = nearest_number(self.passage, int(output.passage[self.row].argmax()))
        mentions = [m for m in self._mentions(dates=False) if chosen and m.value != chosen.value]
        read = aligned.consumer.values_read
        options = self._other_values(read, mentions) if read else [(m, None) for m in mentions]
        likely = [o for o in options if float(candidates[o[0].first]) >= MIN_CANDIDATE]
        yield from self._on_value(
            aligned.step, OTHER_CANDIDATE, read, likely or options, self._on_first
        )

    def _of_filter(self, step: Step, output: Attention) -> Iterator[Replacement]:
        found = step.inputs[0].output
        if isinstance(found, Attention):
            before, after = found.passage[self.row], output.passage[self.row]
            if _variation(before, after) > MIN_DISTANCE:
                yield self._replacement(step, IDENTITY, before)

    def _of_relocate(self, step: Step, output: Attention) -> Iterator[Replacement]:
        weights = output.passage[self.row]
        places = self._other_places(weights, _NAME) or self._other_places(weights, _LONG_WORD)
        if places:
            place = self.random.choice(places)
            first, last = self.passage.tokens.locate(*place)
            gives_answer = isinstance(self.root.output, Span | Spans) and any(
                child is step for child in self.root.inputs
            )
            attention = _even(weights, range(first, last + 1))
            yield self._replacement(
                step, OTHER_PLACE, attention, place=place if gives_answer else None
            )

    def _replacement(
        self, step: Step, name: str, attention: Tensor, **expected: object
    ) -> Replacement:
        words = self._words(attention)
        position, module = self.position_of[id(step)], step.program.name
        return Replacement(position, module, name, attention, words, **expected)  # type: ignore[arg-type]

    def _on_value(
        self,
        step: Step,
        name: str,
        read: Result | None,
        options: "Sequence[tuple[_Mention, Value | None]]",
        spread: "Callable[[Tensor, _Mention], Tensor]",
    ) -> Iterator[Replacement]:
        """Put the attention on one of several mentions."""
        if not options:
            return
        mention, answer = self.random.choice(options)
        assert isinstance(step.output, Attention)
        attention = spread(step.output.passage[self.row], mention)
        flips = read is not None and self._is_compared(read)
        value = None if read is None else mention.value
        yield self._replacement(step, name, attention, value=value, answer=answer, flips=flips)

    def _on_clause(self, weights: Tensor, mention: _Mention) -> Tensor:
        clauses = self.passage.clauses
        near = range(
            max(mention.first - NEARBY, 0), min(mention.last + NEARBY + 1, len(self.passage))
        )
        clause = [token for token in near if clauses[token] == clauses[mention.first]]
        own = _even(weights, range(mention.first, mention.last + 1))
        return MENTION_SHARE * own + (1 - MENTION_SHARE) * _even(weights, clause)

    def _on_first(self, weights: Tensor, mention: _Mention) -> Tensor:
        """All weight on the first token of the number, as in the modules of extremes."""
        return _even(weights, [mention.first])

    def _mentions(self, *, dates: bool) -> list[_Mention]:
        values, tokens = self.passage.values, self.passage.tokens
        if dates:
            return [_Mention(m.date, "", *tokens.locate(m.start, m.end)) for m in values.dates]
        return [_Mention(n.value, n.unit, *tokens.locate(n.start, n.end)) for n in values.numbers]

    def _same_unit(
        self, options: Sequence[tuple[_Mention, Value | None]], value: Value | None
    ) -> Sequence[tuple[_Mention, Value | None]]:
        """The options with the unit of a value, or all of them if there are none."""
        units = {number.unit for number in self.passage.values.numbers if number.value == value}
        return [option for option in options if option[0].unit in units] or options

    def _other_values(
        self, read: Result, mentions: Sequence[_Mention]
    ) -> list[tuple[_Mention, Value | None]]:
        """The mentions whose value would change the answer, each with the answer it leads to."""
        used = self._values_used()
        options: list[tuple[_Mention, Value | None]] = []
        for mention in mentions:
            if mention.value in used:
                continue
            if self._is_compared(read):
                if self._flips(read, mention.value):
                    options.append((mention, None))
                continue
            answer = recompute(self.root, read, mention.value, self.passage, self.row)
            if answer is not None and answer != self._root_value():
                options.append((mention, answer))
        return options

    def _root_value(self) -> Value | None:
        output = self.root.output
        assert isinstance(output, Numbers | Dates)
        return likeliest_value(output, self.passage, self.row)

    def _values_used(self) -> set[Value | None]:
        """The likeliest values of all steps and operands."""
        results = [step.output for step in self.root.walk()]
        for step in self.root.walk():
            results += step.details.operands or ()
        values = (result for result in results if isinstance(result, Numbers | Dates))
        return {likeliest_value(result, self.passage, self.row) for result in values}

    def _comparison(self, read: Result) -> tuple[Result, ...] | None:
        """The two values that a comparison reads, if one of them is the given one."""
        comparisons = (step for step in self.root.walk() if isinstance(step.output, Attention))
        for step in comparisons:
            operands = step.details.operands
            if operands is not None and any(operand is read for operand in operands):
                return operands
        return None

    def _is_compared(self, read: Result) -> bool:
        return self._comparison(read) is not None

    def _flips(self, read: Result, value: Value) -> bool:
        """Whether another event wins a comparison if one value is replaced."""
        operands = self._comparison(read) or ()
        before = [likeliest_value(operand, self.passage, self.row) for operand in operands]
        after = [
            value if operand is read else old for operand, old in zip(operands, before, strict=True)
        ]
        first, second = _order(*before), _order(*after)
        return first * second < 0

    def _other_sentences(self, output: Attention, read: Result | None) -> list[list[int]]:
        """The tokens of each sentence without the attended words and the value read off them."""
        tokens, sentences = self.passage.tokens, self.passage.sentences
        own = top_words(tokens, output.passage[self.row, : len(self.passage)].tolist())
        own_words = {word for span in own for word in content_words(tokens.text[slice(*span)])}
        taken = {int(sentences[tokens.locate(*span)[0]]) for span in own}
        if read is not None:
            value = likeliest_value(read, self.passage, self.row)
            mentions = self._mentions(dates=isinstance(read, Dates))
            taken |= {int(sentences[m.first]) for m in mentions if m.value == value}
        found = []
        for number in set(sentences.tolist()) - taken:
            members = (sentences == number).nonzero()[:, 0].tolist()
            start, end = tokens.offsets[members[0]][0], tokens.offsets[members[-1]][1]
            words = content_words(tokens.text[start:end])
            if words and not words & own_words:
                found.append(members)
        return found

    def _other_places(self, weights: Tensor, pattern: re.Pattern[str]) -> list[Word]:
        """The phrases of a pattern that neither the attention nor the answer contains."""
        tokens = self.passage.tokens
        own = top_words(tokens, weights[: len(self.passage)].tolist())[:1]
        avoided = content_words(" ".join([tokens.text[slice(*w)] for w in own]))
        avoided |= content_words(str(self.answer))
        places = []
        for match in pattern.finditer(tokens.text):
            words = content_words(match.group())
            first, last = tokens.locate(*match.span())
            share = float(weights[first : last + 1].sum())
            if words and not words & avoided and share <= MAX_OWN_SHARE:
                places.append(match.span())
        return places

    def _distance(self, first: Attention, second: Attention) -> float:
        """The larger of the distances over passage and question."""
        return max(
            _variation(first.passage[self.row], second.passage[self.row]),
            _variation(first.question[self.row], second.question[self.row]),
        )

    def _words(self, attention: Tensor) -> str:
        """The phrases with the largest weights, shortened."""
        tokens, weights = self.passage.tokens, attention[: len(self.passage)]
        runs = true_runs((weights >= weights.max() * _MIN_SHOWN).tolist())
        spans = [word_span(tokens, first, last) for first, last in runs]
        text = " … ".join(" ".join(tokens.text[start:end].split()) for start, end in spans)
        return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def _even(like: Tensor, tokens: Sequence[int]) -> Tensor:
    """An even distribution over some tokens."""
    weights = torch.zeros_like(like)
    weights[list(tokens)] = 1 / len(tokens)
    return weights


def _variation(first: Tensor, second: Tensor) -> float:
    """The total variation distance of two distributions."""
    return float((first - second).abs().sum()) / 2


def _order(first: Value | None, second: Value | None) -> int:
    """-1, 0 or 1: whether a value comes before another, is equal, or comes after it."""
    if isinstance(first, Date) and isinstance(second, Date):
        return (chronology(first) > chronology(second)) - (chronology(first) < chronology(second))
    if first is None or second is None or isinstance(first, Date) or isinstance(second, Date):
        return 0
    return (first > second) - (first < second)
