"""Which words of a question each step of a program should attend to."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from workings.data.asked_values import asks_for
from workings.data.content_words import WORD, is_content_word
from workings.data.records import Ask, Question
from workings.modules import REGISTRY
from workings.program import Program
from workings.supervision.derivation import StepTarget
from workings.values import CharSpan, Date, Timing


def asked_words(
    question: Question, program: Program, targets: Sequence[StepTarget]
) -> dict[int, tuple[CharSpan, ...]]:
    """The annotated words of a question that each step should attend to.

    Args:
        question: The question with its annotation.
        program: The program.
        targets: The known targets of the program's steps.

    Returns:
        The character spans of the content words, by the index of the step in ``Program.walk``.
    """
    if not question.asks:
        return {}
    steps = list(program.walk())
    values = {target.step: target for target in targets}
    asked: dict[int, tuple[CharSpan, ...]] = {}
    for path in _paths_to_leaves(program):
        leaf = path[-1]
        if REGISTRY[steps[leaf].name].uses_question:
            asks = _asks_for_values(question.asks, path, values) or _asks_for_things(question.asks)
            asked[leaf] = _content_words(question.text, asks)
    return {step: words for step, words in asked.items() if words}


def _paths_to_leaves(program: Program) -> Iterator[tuple[int, ...]]:
    """For each step without inputs, the indices of the steps from the root to it."""

    def walk(
        node: Program, index: int, above: tuple[int, ...]
    ) -> tuple[list[tuple[int, ...]], int]:
        path, following, paths = (*above, index), index + 1, []
        for child in node.children:
            below, following = walk(child, following, path)
            paths += below
        return paths or [path], following

    yield from walk(program, 0, ())[0]


def _asks_for_values(
    asks: Sequence[Ask], path: Sequence[int], targets: dict[int, StepTarget]
) -> list[Ask]:
    """The phrases that ask for the values of a leaf: those of the nearest step with a target."""
    for step in reversed(path):
        target = targets.get(step)
        if target is None:
            continue
        numbers = target.members or target.numbers
        values: tuple[Fraction | Date | Timing, ...] = (*numbers, *target.dates, *target.timings)
        found = [ask for ask in asks if any(asks_for(ask, value) for value in values)]
        if found:
            return found
    return []


def _asks_for_things(asks: Sequence[Ask]) -> list[Ask]:
    """The phrases for the kind of thing and its conditions."""
    return [ask for ask in asks if ask.role in ("find", "filter")]


def _content_words(text: str, asks: Sequence[Ask]) -> tuple[CharSpan, ...]:
    """The content words of the phrases; all their words if none is a content word."""
    words = []
    for ask in asks:
        start = text.find(ask.phrase)
        if start >= 0:
            words += [match.span() for match in WORD.finditer(text, start, start + len(ask.phrase))]
    content = [(start, end) for start, end in words if is_content_word(text[start:end])]
    return tuple(sorted(set(content or words)))
