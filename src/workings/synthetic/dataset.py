"""Makes synthetic passages: a scene writes the text, and generators ask the questions."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Literal

from workings.data.records import GoldAnswer, Passage, Question
from workings.supervision.derivation import Plan, Supervision
from workings.synthetic import censuses, ledgers, lists, matches, notes, timelines, timetables
from workings.synthetic.passage_writer import (
    NoUniqueAnswerError,
    PassageWriter,
    SyntheticQuestion,
)
from workings.synthetic.sampler import Sampler
from workings.synthetic.templates import Scene
from workings.values import CharSpan, format_number

NameSplit = Literal["seen", "unseen"]

SCENES: dict[str, Scene] = {
    "match": matches.SCENE,
    "census": censuses.SCENE,
    "timeline": timelines.SCENE,
    "note": notes.SCENE,
    "ledger": ledgers.SCENE,
    "list": lists.SCENE,
    "timetable": timetables.SCENE,
}
# Questions of a kind per round. Few scenes have dates, sums have many programs, and counts and
# arguments are harder to learn: these are asked more often.
_QUESTIONS_PER_ROUND: dict[str | None, int] = {
    "date-compare": 2,
    "date-difference": 3,
    "add-sub": 2,
    "count": 2,
    "extract-argument": 2,
}
# Questions with a type per round, whatever the type: the kinds keep their share.
_TYPED_PER_ROUND = 3


@dataclass(frozen=True, slots=True)
class SyntheticPassage:
    """A synthetic passage, with the supervision of its questions by question id."""

    passage: Passage
    supervision: dict[str, Supervision]


def make_synthetic(
    seed: int, passages: int, *, names: NameSplit = "seen", questions: int = 8
) -> Iterator[SyntheticPassage]:
    """Make passages of all scenes in turn.

    A passage depends only on the seed, on ``names`` and on its index.

    Args:
        seed: The random seed.
        passages: The number of passages.
        names: Names and numbers to use: "seen" in training, or "unseen", which are held out.
        questions: The most questions per passage.
    """
    for index in range(passages):
        scene = tuple(SCENES)[index % len(SCENES)]
        # Random hashes a string seed in the same way in every process.
        rng = Random(f"{seed}/{names}/{index}")
        sampler = Sampler(rng, unseen=names == "unseen")
        yield _make(SCENES[scene], sampler, f"{scene}-{names}-{seed}-{index}", questions)


def _make(scene: Scene, sampler: Sampler, passage_id: str, limit: int) -> SyntheticPassage:
    writer = PassageWriter(sampler, scene.templates.sentences)
    pairs = [(generate, topic) for topic in scene.write(writer) for generate in topic.generators]
    generated: dict[str, SyntheticQuestion] = {}
    for generate, topic in sampler.shuffled(pairs):
        with suppress(NoUniqueAnswerError):
            question = generate(sampler, topic)
            generated[question.text] = question
    text = writer.text.strip()
    chosen = _by_rounds(generated.values())[:limit]
    records = [
        _record(question, f"{passage_id}-{index}", text) for index, question in enumerate(chosen)
    ]
    passage = Passage(passage_id, text, tuple(question for question, _ in records))
    return SyntheticPassage(
        passage, {question.id: supervision for question, supervision in records}
    )


def _by_rounds(questions: Iterable[SyntheticQuestion]) -> list[SyntheticQuestion]:
    """Order questions by rounds, each with a few questions of every kind, and a few with a type."""
    counts: Counter[str | None] = Counter()
    rounds: list[tuple[int, SyntheticQuestion]] = []
    for question in questions:
        group = "typed" if question.type else question.kind
        per_round = _TYPED_PER_ROUND if question.type else _QUESTIONS_PER_ROUND.get(group, 1)
        rounds.append((counts[group] // per_round, question))
        counts[group] += 1
    return [question for _, question in sorted(rounds, key=lambda entry: entry[0])]


def _record(
    generated: SyntheticQuestion, question_id: str, text: str
) -> tuple[Question, Supervision]:
    answers = _answers(generated.gold, text)
    phrases = [phrase for answer in answers for phrase in answer.spans]
    question = Question(
        question_id,
        generated.text,
        answers,
        kind=generated.kind,
        source="synthetic",
        type=generated.type,
        unanswerable=not answers,
    )
    supervision = Supervision(
        derivations=(generated.gold.derivation(from_evidence=True),),
        count=1,
        spans=_occurrences(phrases, text),
        question_spans=_occurrences(phrases, generated.text),
        numbers=generated.gold.root_target.numbers if answers else (),
    )
    return question, supervision


def _answers(gold: Plan, text: str) -> tuple[GoldAnswer, ...]:
    """The number that the plan gives, or the text of its spans; none if the text has no answer."""
    if not gold.targets:
        return ()
    target = gold.root_target
    if target.numbers:
        return (GoldAnswer(number=format_number(target.numbers[0])),)
    return (GoldAnswer(spans=tuple(text[start:end] for start, end in target.spans)),)


def _occurrences(phrases: Iterable[str], text: str) -> tuple[CharSpan, ...]:
    """Every occurrence of the phrases as whole words."""
    patterns = (rf"(?<!\w){re.escape(phrase)}(?!\w)" for phrase in phrases)
    return tuple(sorted(m.span() for p in patterns for m in re.finditer(p, text, re.IGNORECASE)))
