"""Splits a question that offers a choice, such as "Which came first, A or B?", into A and B."""

import re
from dataclasses import dataclass

from workings.data.content_words import words_in
from workings.values import CharSpan

_OR = re.compile(r"\sor\s", re.IGNORECASE)
# In the order in which they are looked for: "In May, which came first: A, B and C or D?"
_SEPARATORS = (re.compile(r":(?!\d)"), re.compile(r",(?!\d)|[-–—](?=\s)"))
_ORDER_WORDS = ("first", "second", "last", "later", "earlier")


@dataclass(frozen=True, slots=True)
class Alternatives:
    """The two alternatives of a question.

    Attributes:
        question: The question.
        first: The characters of the first alternative.
        second: The characters of the second alternative.
        is_marked: Whether punctuation or a word such as "first" shows where the first alternative
            begins. Otherwise it is the whole text before "or".
    """

    question: str
    first: CharSpan
    second: CharSpan
    is_marked: bool

    @property
    def texts(self) -> tuple[str, str]:
        """The words of both alternatives."""
        return self.question[slice(*self.first)], self.question[slice(*self.second)]

    def swapped(self) -> str:
        """The question with its alternatives in the other order."""
        (start, end), (next_start, next_end), text = self.first, self.second, self.question
        first, second = self.texts
        return f"{text[:start]}{second}{text[end:next_start]}{first}{text[next_end:]}"


def split_alternatives(question: str) -> Alternatives | None:
    """Split a question at its only "or".

    Returns:
        The alternatives, or None if the question has no "or", has several, or has no words on one
        side of it.
    """
    joints = list(_OR.finditer(question))
    if len(joints) != 1:
        return None
    end, start = joints[0].span()
    second = _trim(question, start, len(question))
    marked = _trim(question, _marked_start(question[:end]), end)
    whole = _trim(question, 0, end)
    if _is_empty(second) or _is_empty(whole):
        return None
    if _is_empty(marked):
        return Alternatives(question, whole, second, is_marked=False)
    return Alternatives(question, marked, second, is_marked=True)


def marked_alternatives(question: str) -> Alternatives | None:
    """Split a question at its only "or", if it shows where the first alternative begins."""
    alternatives = split_alternatives(question)
    return alternatives if alternatives is not None and alternatives.is_marked else None


def _marked_start(left: str) -> int:
    """The start of the first alternative: after a separator or a word of order, else the end."""
    for separator in _SEPARATORS:
        found = separator.search(left)
        if found and words_in(left[found.end() :]):
            return found.end()
    for word in _ORDER_WORDS:
        found = re.search(rf"\b{word}\b", left, re.IGNORECASE)
        if found:
            return found.end()
    return len(left)


def _trim(text: str, start: int, end: int) -> CharSpan:
    while start < end and text[start] in " ,:":
        start += 1
    while start < end and text[end - 1] in " ,?.":
        end -= 1
    return start, end


def _is_empty(span: CharSpan) -> bool:
    return span[0] >= span[1]
