"""The two events a question compares, and how near the passage's dates they stand."""

import math
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from workings.values import read_values

# Beyond so many words between an event and the nearest date, dates are not what it is about.
_FAR = 20

_OR = re.compile(r"\sor\s", re.IGNORECASE)
_SEPARATOR = re.compile(r"[,:](?!\d)|[-–—](?=\s)")
_ORDER_WORDS = ("first", "second", "last", "later", "earlier")
_WORD = re.compile(r"\w+")
_COMMON = frozenset(
    _WORD.findall(
        "a an and are as at be been being by did do does for from had has have he her his in"
        " into is it its not of off on or over s she so that the their them then there these"
        " they this those to up was were when which while who will with"
    )
)


@dataclass(frozen=True, slots=True)
class Events:
    """A question and the character spans of the two events it asks to choose between."""

    question: str
    first: tuple[int, int]
    second: tuple[int, int]

    @property
    def texts(self) -> tuple[str, str]:
        return self.question[slice(*self.first)], self.question[slice(*self.second)]

    def swapped(self) -> str:
        """The question with its events in the other order."""
        (start, end), (next_start, next_end), text = self.first, self.second, self.question
        first, second = self.texts
        return f"{text[:start]}{second}{text[end:next_start]}{first}{text[next_end:]}"


def split_events(question: str) -> Events | None:
    """The events on either side of a question's only "or", if both can be told."""
    joints = list(_OR.finditer(question))
    if len(joints) != 1:
        return None
    end, start = joints[0].span()
    first = _trim(question, _start(question[:end]), end)
    second = _trim(question, start, len(question))
    if first[0] >= first[1] or second[0] >= second[1]:
        return None
    return Events(question, first, second)


def compares_dates(question: str, passage: str) -> bool:
    """Whether both events of a question stand near dates, so that comparing those may answer it."""
    events = split_events(question)
    if events is None:
        return False
    words, dates = _dated_words(passage)
    return all(_mean_distance(_words(event), words, dates) <= _FAR for event in events.texts)


def _start(left: str) -> int:
    """Where the first event begins: behind a separator, or else behind a word of order."""
    separator = _SEPARATOR.search(left)
    if separator and len(_words(left[separator.end() :])) > 0:
        return separator.end()
    for word in _ORDER_WORDS:
        found = re.search(rf"\b{word}\b", left, re.IGNORECASE)
        if found:
            return found.end()
    return len(left)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " ,:":
        start += 1
    while start < end and text[end - 1] in " ,?.":
        end -= 1
    return start, end


def _words(text: str) -> list[str]:
    return [match.group().lower() for match in _WORD.finditer(text)]


@lru_cache(maxsize=8)
def _dated_words(passage: str) -> tuple[list[str], list[int]]:
    """The passage's words, and the places among them where dates stand."""
    starts = [match.start() for match in _WORD.finditer(passage)]
    dates = [bisect_right(starts, date.start) - 1 for date in read_values(passage).dates]
    return _words(passage), dates


def _mean_distance(event: list[str], words: list[str], dates: list[int]) -> float:
    """How many words from a date, on average, the tightest group of the event's words stands."""
    content = [word for word in event if word not in _COMMON]
    wanted = set(content)
    hits = [place for place, word in enumerate(words) if word in wanted]
    if not hits or not dates:
        return math.inf
    size = min(len(content), len(hits))
    groups = (hits[i : i + size] for i in range(len(hits) - size + 1))
    tightest = min(groups, key=lambda group: group[-1] - group[0])
    return sum(min(abs(place - date) for date in dates) for place in tightest) / size
