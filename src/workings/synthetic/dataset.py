"""Passages made to order: written by the scenes, asked about, turned into records."""

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
from workings.synthetic.gold_steps import outcome
from workings.synthetic.passage_writer import CannotAsk, PassageWriter, SyntheticQuestion
from workings.synthetic.sampler import Sampler
from workings.synthetic.templates import Scene
from workings.values import format_number

Names = Literal["seen", "unseen"]

SCENES: dict[str, Scene] = {
    "match": matches.SCENE,
    "census": censuses.SCENE,
    "timeline": timelines.SCENE,
    "ledger": ledgers.SCENE,
}
# Few scenes know of years that pass, sums have many programs, and counts and phrases many places
# to go wrong: these are asked more often.
_SHARES: dict[str | None, int] = {
    "date-difference": 3,
    "add-sub": 2,
    "count": 2,
    "extract-argument": 2,
}


@dataclass(frozen=True, slots=True)
class SyntheticPassage:
    """One made passage with all that is known of its questions, by their ids."""

    passage: Passage
    supervision: dict[str, Supervision]


def make_synthetic(
    seed: int, passages: int, *, names: Names = "seen", questions: int = 8
) -> Iterator[SyntheticPassage]:
    """Passages of all scenes in turn, each the same for the same seed and place."""
    for index in range(passages):
        name = tuple(SCENES)[index % len(SCENES)]
        # Seeded by a string, which Random digests alike in every process.
        rng = Random(f"{seed}/{names}/{index}")
        sampler = Sampler(rng, unseen=names == "unseen")
        yield _make(SCENES[name], sampler, f"{name}-{names}-{seed}-{index}", questions)


def _make(scene: Scene, sampler: Sampler, name: str, limit: int) -> SyntheticPassage:
    page = PassageWriter(sampler, scene.script.sentences)
    pairs = [(maker, topic) for topic in scene.write(page) for maker in topic.generators]
    found: dict[str, SyntheticQuestion] = {}
    for maker, topic in sampler.shuffled(pairs):
        with suppress(CannotAsk):
            asked = maker(sampler, topic)
            found[asked.text] = asked
    text = page.text.strip()
    chosen = _in_turn(found.values())[:limit]
    known = [_record(asked, f"{name}-{place}", text) for place, asked in enumerate(chosen)]
    passage = Passage(name, text, tuple(question for question, _ in known))
    return SyntheticPassage(passage, {question.id: supervision for question, supervision in known})


def _in_turn(questions: Iterable[SyntheticQuestion]) -> list[SyntheticQuestion]:
    """First a share of the questions of each kind, then a second one of each, and so on."""
    kinds: Counter[str | None] = Counter()
    turns: list[tuple[int, SyntheticQuestion]] = []
    for asked in questions:
        turns.append((kinds[asked.kind] // _SHARES.get(asked.kind, 1), asked))
        kinds[asked.kind] += 1
    return [asked for _, asked in sorted(turns, key=lambda turn: turn[0])]


def _record(asked: SyntheticQuestion, name: str, text: str) -> tuple[Question, Supervision]:
    answer = _answer(asked.gold, text)
    supervision = Supervision(
        derivations=(asked.gold.derivation(from_evidence=True),),
        count=1,
        spans=_places(answer.spans, text),
        question_spans=_places(answer.spans, asked.text),
        numbers=outcome(asked.gold).numbers,
    )
    return Question(name, asked.text, (answer,), kind=asked.kind, source="made"), supervision


def _answer(gold: Plan, text: str) -> GoldAnswer:
    root = outcome(gold)
    if gold.program.name in ("span", "spans"):
        return GoldAnswer(spans=tuple(text[start:end] for start, end in root.spans))
    return GoldAnswer(number=format_number(root.numbers[0]))


def _places(phrases: Iterable[str], text: str) -> tuple[Span, ...]:
    """Every place where one of the phrases stands as whole words."""
    patterns = (rf"(?<!\w){re.escape(phrase)}(?!\w)" for phrase in phrases)
    return tuple(sorted(m.span() for p in patterns for m in re.finditer(p, text, re.IGNORECASE)))
