"""Finding phrases in a text, word by word, as an annotator's words seldom match exactly."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from workings.supervision.derivation import Span

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")
_ARTICLES = frozenset(("a", "an", "the"))
# A phrase is taken as found where this share of its words stand together.
_LOOSE_SHARE = 0.6
# How many words around a value speak of it.
_REACH = 12

STOP_WORDS = frozenset(
    """a an the of in on at to for from by with and or but as is was were are be been did do does
    had has have how many much more less fewer than what which who whom whose when where why that
    this these those there it its s they their he his she her after before between during total
    number all not t most least both into out up over yards yard years percent people""".split()
)


def words_in(text: str) -> list[str]:
    """The words of a text in lower case; a number with its commas is one word."""
    return [match.group().lower() for match in _WORD.finditer(text)]


class Text:
    """A text cut into words that know their places."""

    def __init__(self, text: str) -> None:
        matches = list(_WORD.finditer(text))
        self.words = [match.group().lower() for match in matches]
        self.starts = [match.start() for match in matches]
        self.ends = [match.end() for match in matches]
        self.places: dict[str, list[int]] = {}
        for place, word in enumerate(self.words):
            self.places.setdefault(word, []).append(place)

    def find(self, phrase: str) -> tuple[Span, ...]:
        """Every place where the phrase stands, whatever its case, articles and punctuation."""
        wanted = _without_articles(words_in(phrase))
        firsts = self.places.get(wanted[0], []) if wanted else []
        lasts = [(first, self._last(wanted, first)) for first in firsts]
        return tuple((self.starts[first], self.ends[last]) for first, last in lasts if last >= 0)

    def find_loosely(self, phrase: str) -> Span | None:
        """The place where most of the phrase's words stand together, if most of them do."""
        wanted = _without_articles(words_in(phrase))
        if not wanted or not self.words:
            return None
        hits = np.fromiter((word in set(wanted) for word in self.words), np.int64, len(self.words))
        width = min(len(wanted), len(hits))
        sums = np.convolve(hits, np.ones(width, np.int64), "valid")
        first = int(sums.argmax())
        found = set(self.words[first : first + width]) & set(wanted)
        if len(found) < _LOOSE_SHARE * len(set(wanted)):
            return None
        inside = [place for place in range(first, first + width) if hits[place]]
        return self.starts[inside[0]], self.ends[inside[-1]]

    def closeness(self, words: Iterable[str]) -> npt.NDArray[np.int64]:
        """For each word of the text, how many distinct given words stand near it."""
        near = np.zeros(len(self.words) + 1, np.int64)
        for word in set(words):
            touched = np.zeros_like(near)
            for place in self.places.get(word, ()):
                touched[max(0, place - _REACH) : place + _REACH + 1] = 1
            near += touched
        return near

    def word_at(self, start: int) -> int:
        """The index of the word that holds or follows a character."""
        return bisect_right(self.ends, start)

    def _last(self, wanted: list[str], first: int) -> int:
        """The place of the phrase's last word if the phrase starts at ``first``, else -1."""
        place = first
        for word in wanted:
            while place < len(self.words) and self.words[place] != word:
                if self.words[place] not in _ARTICLES:
                    return -1
                place += 1
            place += 1
        return place - 1 if place <= len(self.words) else -1


@lru_cache(maxsize=16)
def text_of(text: str) -> Text:
    """The text cut into words; the questions of one passage share the work."""
    return Text(text)


def content_words(text: str) -> set[str]:
    """The words that tell one phrase from another."""
    return set(words_in(text)) - STOP_WORDS


def overlap(one: str, other: str) -> int:
    """How many words two phrases share, counting repeats."""
    return sum((Counter(words_in(one)) & Counter(words_in(other))).values())


def _without_articles(words: list[str]) -> list[str]:
    return [word for word in words if word not in _ARTICLES] or words
