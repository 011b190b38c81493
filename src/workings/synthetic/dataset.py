"""Makes synthetic passages: a scene writes the text, and generators ask the questions."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Literal

from workings.data.records import GoldAnswer, Passage, Question
from workings.supervision.derivation import Plan, Span, Supervision
from workings.synthetic import censuses, ledgers, matches, timelines
from workings.synthetic.passage_writer import (
    NoUniqueAnswerError,
    PassageWriter,
    SyntheticQuestion,
)
from workings.synthetic.sampler import Sampler
from workings.synthetic.templates import Scene
from workings.values import format_number

NameSplit = Literal["seen", "unseen"]

SCENES: dict[str, Scene] = {
    "match": matches.SCENE,
    "census": censuses.SCENE,
    "timeline": timelines.SCENE,
    "ledger": ledgers.SCENE,
}
# Questions of a kind per round. Few scenes have date differences, sums have many programs, and
# counts and arguments are harder to learn: these are asked more often.
_QUESTIONS_PER_ROUND: dict[str | None, int] = {
    "date-difference": 3,
    "add-sub": 2,
    "count": 2,
    "extract-argument": 2,
}


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
    """Order questions by rounds, each with a few questions of every kind."""
    counts: Counter[str | None] = Counter()
    rounds: list[tuple[int, SyntheticQuestion]] = []
    for question in questions:
        per_round = _QUESTIONS_PER_ROUND.get(question.kind, 1)
        rounds.append((counts[question.kind] // per_round, question))
        counts[question.kind] += 1
    return [question for _, question in sorted(rounds, key=lambda entry: entry[0])]


def _record(
    generated: SyntheticQuestion, question_id: str, text: str
) -> tuple[Question, Supervision]:
    answer = _answer(generated.gold, text)
    question = Question(
        question_id, generated.text, (answer,), kind=generated.kind, source="synthetic"
    )
    supervision = Supervision(
        derivations=(generated.gold.derivation(from_evidence=True),),
        count=1,
        spans=_occurrences(answer.spans, text),
        question_spans=_occurrences(answer.spans, generated.text),
        numbers=generated.gold.root_target.numbers,
    )
    return question, supervision


def _answer(gold: Plan, text: str) -> GoldAnswer:
    """The number that the plan gives, or the text of its spans if it gives no number."""
    target = gold.root_target
    if target.numbers:
        return GoldAnswer(number=format_number(target.numbers[0]))
    return GoldAnswer(spans=tuple(text[start:end] for start, end in target.spans))


def _occurrences(phrases: Iterable[str], text: str) -> tuple[Span, ...]:
    """Every occurrence of the phrases as whole words."""
    patterns = (rf"(?<!\w){re.escape(phrase)}(?!\w)" for phrase in phrases)
    return tuple(sorted(m.span() for p in patterns for m in re.finditer(p, text, re.IGNORECASE)))
