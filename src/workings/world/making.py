"""Passages made to order: written by the scenes, asked about, turned into records."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Literal

from workings.data.derive_types import Plan, Span, Supervision
from workings.data.records import Answer, Passage, Question
from workings.values import format_number
from workings.world import censuses, ledgers, matches, timelines
from workings.world.page import Asked, Page, Unaskable
from workings.world.script import Scene
from workings.world.steps import outcome
from workings.world.words import Stock

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
class Made:
    """One made passage with all that is known of its questions, by their ids."""

    passage: Passage
    supervision: dict[str, Supervision]


def make_world(
    seed: int, passages: int, *, names: Names = "seen", questions: int = 8
) -> Iterator[Made]:
    """Passages of all scenes in turn, each the same for the same seed and place."""
    for index in range(passages):
        name = tuple(SCENES)[index % len(SCENES)]
        # Seeded by a string, which Random digests alike in every process.
        rng = Random(f"{seed}/{names}/{index}")
        stock = Stock(rng, unseen=names == "unseen")
        yield _make(SCENES[name], stock, f"{name}-{names}-{seed}-{index}", questions)


def _make(scene: Scene, stock: Stock, name: str, limit: int) -> Made:
    page = Page(stock, scene.script.sentences)
    pairs = [(maker, topic) for topic in scene.write(page) for maker in topic.makers]
    found: dict[str, Asked] = {}
    for maker, topic in stock.shuffled(pairs):
        with suppress(Unaskable):
            asked = maker(stock, topic)
            found[asked.text] = asked
    text = page.text.strip()
    chosen = _in_turn(found.values())[:limit]
    known = [_record(asked, f"{name}-{place}", text) for place, asked in enumerate(chosen)]
    passage = Passage(name, text, tuple(question for question, _ in known))
    return Made(passage, {question.id: supervision for question, supervision in known})


def _in_turn(questions: Iterable[Asked]) -> list[Asked]:
    """First a share of the questions of each kind, then a second one of each, and so on."""
    kinds: Counter[str | None] = Counter()
    turns: list[tuple[int, Asked]] = []
    for asked in questions:
        turns.append((kinds[asked.kind] // _SHARES.get(asked.kind, 1), asked))
        kinds[asked.kind] += 1
    return [asked for _, asked in sorted(turns, key=lambda turn: turn[0])]


def _record(asked: Asked, name: str, text: str) -> tuple[Question, Supervision]:
    answer = _answer(asked.gold, text)
    supervision = Supervision(
        derivations=(asked.gold.derivation(narrowed=True),),
        count=1,
        spans=_places(answer.spans, text),
        question_spans=_places(answer.spans, asked.text),
        numbers=outcome(asked.gold).numbers,
    )
    return Question(name, asked.text, (answer,), kind=asked.kind, source="made"), supervision


def _answer(gold: Plan, text: str) -> Answer:
    root = outcome(gold)
    if gold.program.name in ("span", "spans"):
        return Answer(spans=tuple(text[start:end] for start, end in root.spans))
    return Answer(number=format_number(root.numbers[0]))


def _places(phrases: Iterable[str], text: str) -> tuple[Span, ...]:
    """Every place where one of the phrases stands as whole words."""
    patterns = (rf"(?<!\w){re.escape(phrase)}(?!\w)" for phrase in phrases)
    return tuple(sorted(m.span() for p in patterns for m in re.finditer(p, text, re.IGNORECASE)))
