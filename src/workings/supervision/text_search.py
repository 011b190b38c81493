"""Word-by-word search for phrases in a text."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from workings.data.content_words import WORD, words_in
from workings.values import CharSpan

_ARTICLES = frozenset(("a", "an", "the"))
# The share of a phrase's words that an approximate match must contain.
_MIN_SHARE = 0.6
# Words at most so far apart count as near.
_WINDOW = 12


class SearchableText:
    """A text as a list of words with their positions."""

    def __init__(self, text: str) -> None:
        matches = list(WORD.finditer(text))
        self.words = [match.group().lower() for match in matches]
        self.starts = [match.start() for match in matches]
        self.ends = [match.end() for match in matches]
        self.positions: dict[str, list[int]] = {}
        for position, word in enumerate(self.words):
            self.positions.setdefault(word, []).append(position)

    @staticmethod
    @lru_cache(maxsize=16)
    def cached(text: str) -> "SearchableText":
        """A shared instance for a text; the questions of one passage search the same one."""
        return SearchableText(text)

    def find(self, phrase: str) -> tuple[CharSpan, ...]:
        """Every occurrence of a phrase, ignoring case, articles and punctuation."""
        words = _without_articles(words_in(phrase))
        firsts = self.positions.get(words[0], []) if words else []
        ranges = [(first, self._last(words, first)) for first in firsts]
        return tuple((self.starts[first], self.ends[last]) for first, last in ranges if last >= 0)

    def find_approximate(self, phrase: str) -> CharSpan | None:
        """The place with the most words of a phrase; None if too few of them occur together."""
        words = _without_articles(words_in(phrase))
        if not words or not self.words:
            return None
        hits = np.fromiter((word in set(words) for word in self.words), np.int64, len(self.words))
        width = min(len(words), len(hits))
        sums = np.convolve(hits, np.ones(width, np.int64), "valid")
        first = int(sums.argmax())
        shared = set(self.words[first : first + width]) & set(words)
        if len(shared) < _MIN_SHARE * len(set(words)):
            return None
        inside = [position for position in range(first, first + width) if hits[position]]
        return self.starts[inside[0]], self.ends[inside[-1]]

    def count_nearby(self, words: Iterable[str]) -> npt.NDArray[np.int64]:
        """For each word of the text, the number of distinct given words near it."""
        counts = np.zeros(len(self.words) + 1, np.int64)
        for word in set(words):
            is_near = np.zeros_like(counts)
            for position in self.positions.get(word, ()):
                is_near[max(0, position - _WINDOW) : position + _WINDOW + 1] = 1
            counts += is_near
        return counts

    def word_at(self, start: int) -> int:
        """The index of the word that contains or follows a character."""
        return bisect_right(self.ends, start)

    def _last(self, words: list[str], first: int) -> int:
        """The position of the last word of a phrase that begins at ``first``; -1 if it does not."""
        position = first
        for word in words:
            while position < len(self.words) and self.words[position] != word:
                if self.words[position] not in _ARTICLES:
                    return -1
                position += 1
            position += 1
        return position - 1 if position <= len(self.words) else -1


def shared_words(first: str, second: str) -> int:
    """The number of words that two phrases share, counting repeats."""
    return sum((Counter(words_in(first)) & Counter(words_in(second))).values())


def _without_articles(words: list[str]) -> list[str]:
    return [word for word in words if word not in _ARTICLES] or words
