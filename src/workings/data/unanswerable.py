"""Makes unanswerable questions from answerable ones.

A question of another passage is asked about a passage that has hardly any of its words, or a name
in a question is replaced by one that the passage does not mention.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from workings.data.content_words import content_words, words_in
from workings.data.records import Passage, Question

_T = TypeVar("_T")

# Added to the id of the question from which an unanswerable one is made.
FOREIGN = "-foreign"
SWAPPED_NAME = "-other-name"

# The most content words that a foreign question may share with the passage, as a share of its own.
_MAX_SHARED = 0.25
# So many questions or names are tried before none is made.
_TRIES = 30
# Capitalised words, except the first of the question.
_NAME = re.compile(r"(?<=[\w,] )[A-Z][\w'’-]*[a-z](?: [A-Z][\w'’-]*[a-z])*")


def add_unanswerable(passages: Sequence[Passage], share: float, seed: int) -> list[Passage]:
    """Add unanswerable questions behind the questions of each passage.

    Args:
        passages: The passages of a file.
        share: The number of unanswerable questions to make, as a share of a passage's questions.
            Fewer are made where none can be found.
        seed: Random seed; the same seed gives the same questions.
    """
    if not share or len(passages) < 2:
        return list(passages)
    pool = _Pool(passages)
    return [_with_unanswerable(passage, pool, share, seed) for passage in passages]


class _Pool:
    """The questions and names of all passages."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.questions: dict[str, list[Question]] = {}
        self.names: list[str] = []
        for question in (question for passage in passages for question in passage.questions):
            if not question.unanswerable:
                self.questions.setdefault(_sort(question), []).append(question)
                self.names += _NAME.findall(question.text)


def _with_unanswerable(passage: Passage, pool: _Pool, share: float, seed: int) -> Passage:
    rng = Random(f"{seed}/{passage.id}")
    answerable = [question for question in passage.questions if not question.unanswerable]
    count = int(share * len(answerable) + rng.random())
    chosen = rng.sample(answerable, min(count, len(answerable)))
    words, ids = set(words_in(passage.text)), {question.id for question in passage.questions}
    made: list[Question] = []
    for question in chosen:
        makers = [_foreign, _with_other_name]
        rng.shuffle(makers)
        found = (maker(question, words, pool, rng) for maker in makers)
        unanswerable = next((each for each in found if each is not None), None)
        if unanswerable is not None and unanswerable.id not in ids:
            made.append(unanswerable)
    return replace(passage, questions=(*passage.questions, *made))


def _foreign(question: Question, words: set[str], pool: _Pool, rng: Random) -> Question | None:
    """A question of the same sort from another passage."""
    for other in _draws(pool.questions[_sort(question)], rng):
        asked = content_words(other.text)
        if asked and len(asked & words) <= _MAX_SHARED * len(asked):
            return _unanswerable(question, other.text, FOREIGN)
    return None


def _with_other_name(
    question: Question, words: set[str], pool: _Pool, rng: Random
) -> Question | None:
    """The question about a name that the passage does not mention."""
    names = [name for name in _NAME.finditer(question.text) if words.issuperset(words_in(name[0]))]
    if not names:
        return None
    name = rng.choice(names)
    for other in _draws(pool.names, rng):
        if words.isdisjoint(words_in(other)):
            text = question.text[: name.start()] + other + question.text[name.end() :]
            return _unanswerable(question, text, SWAPPED_NAME)
    return None


def _draws(pool: Sequence[_T], rng: Random) -> Iterator[_T]:
    return (rng.choice(pool) for _ in range(_TRIES if pool else 0))


def _unanswerable(question: Question, text: str, ending: str) -> Question:
    return Question(
        question.id + ending,
        text,
        (),
        source=question.source,
        augmented=True,
        type="none",
        unanswerable=True,
    )


def _sort(question: Question) -> str:
    """The type or kind of a question, or the words it begins with."""
    return question.type or question.kind or " ".join(words_in(question.text)[:2])
