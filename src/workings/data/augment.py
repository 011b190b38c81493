"""More date-compare questions for training, made by swapping events and turning the order round."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import replace

from workings.data.events import Events, split_events
from workings.data.records import GoldAnswer, Passage, Question

SWAP = "-dc-event-switch"
FLIP = "-dc-qop-switch"

_EARLY = ("first", "earlier")
_LATE = ("later", "last", "second")
_ORDER = re.compile(r"\b(?:(first|earlier|forst|firts)|(later|last|second))\b", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def augment(passage: Passage) -> Passage:
    """The passage with up to three made questions behind each date-compare question it has.

    They ask with the events swapped, with the order turned round, and with both; each is marked
    ``augmented`` and its id says how it was made.
    """
    known = {question.id for question in passage.questions}
    questions: list[Question] = []
    for question in passage.questions:
        made = _made(question, passage.text)
        questions += [question, *(each for each in made if each.id not in known)]
    return replace(passage, questions=tuple(questions))


def _made(question: Question, passage: str) -> Iterator[Question]:
    if question.kind != "date-compare" or question.augmented or not question.answers:
        return
    events = split_events(question.text)
    if events is None:
        return
    swapped = _swap(question, events, passage)
    flipped = _flip(question, events, passage)
    yield from (each for each in (swapped, flipped) if each is not None)
    if swapped is not None and flipped is not None:
        both = split_events(flipped.text)
        again = both and _swap(flipped, both, passage)
        if again:
            yield replace(again, id=f"{question.id}{SWAP}{FLIP}")


def _swap(question: Question, events: Events, passage: str) -> Question | None:
    """The events in the other order, with the answer as it was."""
    if not any(_found(span, passage) for span in question.answers[0].spans):
        return None
    return replace(
        question,
        id=question.id + SWAP,
        text=events.swapped(),
        evidence=";".join(reversed(_two_values(question.evidence))),
        augmented=True,
    )


def _flip(question: Question, events: Events, passage: str) -> Question | None:
    """The opposite order asked for, with the other event's words in the passage as the answer."""
    text = _flipped_order(question, events)
    other = _other_event(events, question.answers[0])
    answer = other and _found(_ARTICLE.sub("", other), passage)
    if text is None or not answer:
        return None
    return replace(
        question,
        id=question.id + FLIP,
        text=text,
        answers=(GoldAnswer(spans=(answer,)),),
        evidence=";".join(_two_values(question.evidence)),
        augmented=True,
    )


def _flipped_order(question: Question, events: Events) -> str | None:
    """The question with each word of order outside its events turned into an opposite."""
    # Chosen by the id, so that a question is made the same way wherever and whenever it is made.
    choice = zlib.crc32(question.id.encode())

    def opposite(match: re.Match[str]) -> str:
        words = _LATE if match.group(1) else _EARLY
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


def _other_event(events: Events, answer: GoldAnswer) -> str | None:
    """The event that is not the answer, where their words can tell."""
    gold = _words(" ".join(answer.spans))
    first, second = (len(gold & _words(event)) for event in events.texts)
    if first == second:
        return None
    return events.texts[first > second]


def _found(span: str, passage: str) -> str | None:
    """The words of ``span`` as the passage writes them, articles and punctuation aside."""
    words = map(re.escape, _WORD.findall(span))
    pattern = r"\W+(?:(?:an?|the)\W+)?".join(words)
    match = re.search(rf"\b{pattern}\b", passage, re.IGNORECASE) if pattern else None
    return match.group() if match else None


def _two_values(evidence: str) -> list[str]:
    """The two compared values, in the question's order; evidence of another form is of no use."""
    parts = evidence.split(";")
    return parts if len(parts) == 2 else []


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}
