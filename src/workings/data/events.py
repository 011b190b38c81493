"""Whether the two events of a question are mentioned near dates."""

import math
from bisect import bisect_right
from functools import lru_cache

from workings.data.alternatives import marked_alternatives
from workings.data.content_words import STOP_WORDS, WORD, words_in
from workings.values import read_values

# An event whose words are further from the nearest date, on average, has no date of its own.
_MAX_DISTANCE = 20


def compares_dates(question: str, passage: str) -> bool:
    """Whether both alternatives of a question are events mentioned near dates of the passage."""
    events = marked_alternatives(question)
    if events is None:
        return False
    words, dates = _words_and_dates(passage)
    return all(
        _mean_distance(words_in(event), words, dates) <= _MAX_DISTANCE for event in events.texts
    )


@lru_cache(maxsize=8)
def _words_and_dates(passage: str) -> tuple[list[str], list[int]]:
    """The words of the passage, and the index of the first word of each date."""
    starts = [match.start() for match in WORD.finditer(passage)]
    dates = [bisect_right(starts, date.start) - 1 for date in read_values(passage).dates]
    return words_in(passage), dates


def _mean_distance(event: list[str], words: list[str], dates: list[int]) -> float:
    """The mean distance, in words, of the event's closest group of words to the nearest date."""
    content = [word for word in event if word not in STOP_WORDS]
    matches = [index for index, word in enumerate(words) if word in set(content)]
    if not matches or not dates:
        return math.inf
    size = min(len(content), len(matches))
    groups = (matches[i : i + size] for i in range(len(matches) - size + 1))
    closest = min(groups, key=lambda group: group[-1] - group[0])
    return sum(min(abs(index - date) for date in dates) for index in closest) / size
