"""Augments training data with variants of date-compare questions.

A variant swaps the two events of a question, reverses the order it asks for, or both.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import replace

from workings.data.alternatives import Alternatives, marked_alternatives
from workings.data.content_words import WORD, words_in
from workings.data.records import GoldAnswer, Passage, Question

# Added to the id of a question, as in the paper's released data.
SWAPPED = "-dc-event-switch"
REVERSED = "-dc-qop-switch"

_EARLIER_WORDS = ("first", "earlier")
_LATER_WORDS = ("later", "last", "second")
_ORDER = re.compile(r"\b(?:(first|earlier|forst|firts)|(later|last|second))\b", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


def augment(passage: Passage) -> Passage:
    """Add up to three variants behind each date-compare question of a passage.

    The variants have ``augmented`` set, and ids that say how they were made. No id is used twice.
    """
    ids = {question.id for question in passage.questions}
    questions: list[Question] = []
    for question in passage.questions:
        variants = _variants(question, passage.text)
        questions += [question, *(variant for variant in variants if variant.id not in ids)]
    return replace(passage, questions=tuple(questions))


def _variants(question: Question, passage: str) -> Iterator[Question]:
    if question.kind != "date-compare" or question.augmented or not question.answers:
        return
    events = marked_alternatives(question.text)
    if events is None:
        return
    swapped = _swap(question, events, passage)
    reverse = _reverse(question, events, passage)
    yield from (variant for variant in (swapped, reverse) if variant is not None)
    if swapped is not None and reverse is not None:
        reversed_events = marked_alternatives(reverse.text)
        both = reversed_events and _swap(reverse, reversed_events, passage)
        if both:
            yield replace(both, id=f"{question.id}{SWAPPED}{REVERSED}")


def _swap(question: Question, events: Alternatives, passage: str) -> Question | None:
    """The question with its events in the other order; the answer stays the same."""
    if not any(_as_written(span, passage) for span in question.answers[0].spans):
        return None
    return replace(
        question,
        id=question.id + SWAPPED,
        text=events.swapped(),
        evidence=";".join(reversed(_compared_values(question.evidence))),
        augmented=True,
    )


def _reverse(question: Question, events: Alternatives, passage: str) -> Question | None:
    """The question for the opposite order; the other event is the answer."""
    text = _with_opposite_order(question, events)
    other = _other_event(events, question.answers[0])
    answer = other and _as_written(_ARTICLE.sub("", other), passage)
    if text is None or not answer:
        return None
    return replace(
        question,
        id=question.id + REVERSED,
        text=text,
        answers=(GoldAnswer(spans=(answer,)),),
        evidence=";".join(_compared_values(question.evidence)),
        augmented=True,
    )


def _with_opposite_order(question: Question, events: Alternatives) -> str | None:
    """The question with each word of order outside its events replaced by an opposite."""
    # The id decides, so that the same question always gives the same variant.
    choice = zlib.crc32(question.id.encode())

    def opposite(match: re.Match[str]) -> str:
        words = _LATER_WORDS if match.group(1) else _EARLIER_WORDS
        return words[choice % len(words)]

    (start, end), (next_start, next_end) = events.first, events.second
    head, joint, tail = (
        _ORDER.sub(opposite, part)
        for part in (
            events.question[:start],
            events.question[end:next_start],
            events.question[next_end:],
        )
    )
    first, second = events.texts
    text = f"{head}{first}{joint}{second}{tail}"
    return text if text != events.question else None


def _other_event(events: Alternatives, answer: GoldAnswer) -> str | None:
    """The event that is not the answer; None if both share as many words with the answer."""
    answer_words = set(words_in(" ".join(answer.spans)))
    first, second = (len(answer_words.intersection(words_in(event))) for event in events.texts)
    if first == second:
        return None
    return events.texts[first > second]


def _as_written(span: str, passage: str) -> str | None:
    """The text of the passage that matches a span, ignoring case, articles and punctuation."""
    words = map(re.escape, WORD.findall(span))
    pattern = r"\W+(?:(?:an?|the)\W+)?".join(words)
    match = re.search(rf"\b{pattern}\b", passage, re.IGNORECASE) if pattern else None
    return match.group() if match else None


def _compared_values(evidence: str) -> list[str]:
    """The two compared values of evidence such as ``1595;1596``, in the order of the question."""
    parts = evidence.split(";")
    return parts if len(parts) == 2 else []
