"""Lexical index of a long passage: finds the parts that share words with a question (BM25)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from workings.data.content_words import STOP_WORDS, words_in
from workings.values import CharSpan

# Sentences are joined to blocks of at most this many characters. A longer sentence is cut.
BLOCK_CHARS = 200
# Neighbouring blocks that are ranked together: about the length of a paragraph.
WINDOW_BLOCKS = 5

_SENTENCE_END = re.compile(r"[.!?][\"')\]]*\s+(?=[A-Z0-9\"'(])|\n\s*\n\s*")


@dataclass(frozen=True)
class PassageIndex:
    """The blocks of a passage, and the BM25 scores of its windows.

    Every window has ``WINDOW_BLOCKS`` neighbouring blocks, so windows overlap.

    Attributes:
        text: The passage.
        blocks: The characters of each block; together they cover the passage.
    """

    text: str
    blocks: tuple[CharSpan, ...]

    @staticmethod
    def of(text: str) -> "PassageIndex":
        """Index a passage, in time proportional to its length."""
        return PassageIndex(text, tuple(_blocks(text)))

    def rank(self, question: str) -> list[range]:
        """The windows by falling score, as ranges of blocks; of equal windows the first first."""
        windows, terms = self._windows, _query_words(question)
        if self._scorer is None or not terms:
            return windows
        scores = self._scorer.get_scores(terms)
        return [windows[index] for index in (-scores).argsort(kind="stable").tolist()]

    @cached_property
    def _windows(self) -> list[range]:
        count = max(len(self.blocks) - WINDOW_BLOCKS + 1, 1)
        return [
            range(first, min(first + WINDOW_BLOCKS, len(self.blocks))) for first in range(count)
        ]

    @cached_property
    def _scorer(self) -> Any:
        """The BM25 scorer; None if the passage has no words."""
        # Imported late: short passages do not need it.
        from bm25s import BM25  # type: ignore[import-untyped]

        words = [[_stem(word) for word in words_in(self.text[a:b])] for a, b in self.blocks]
        if not any(words):
            return None
        scorer = BM25()
        documents = [
            [word for block in window for word in words[block]] for window in self._windows
        ]
        scorer.index(documents, show_progress=False)
        return scorer


def _query_words(question: str) -> list[str]:
    """The stems of a question's content words; of all its words if it has no others."""
    words = words_in(question)
    return [_stem(word) for word in words if word not in STOP_WORDS] or [*map(_stem, words)]


def _stem(word: str) -> str:
    """Remove the plural s, so that "goal" matches "goals"."""
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word


def _blocks(text: str) -> Iterator[CharSpan]:
    """Join neighbouring sentences while they fit into a block."""
    start = end = 0
    for _, sentence_end in _sentences(text):
        if sentence_end - start > BLOCK_CHARS and end > start:
            yield start, end
            start = end
        end = sentence_end
    if end > start:
        yield start, end


def _sentences(text: str) -> Iterator[CharSpan]:
    ends = (match.end() for match in _SENTENCE_END.finditer(text))
    for start, end in pairwise([0, *ends, len(text)]):
        while end - start > BLOCK_CHARS:
            cut = _last_space(text, start, start + BLOCK_CHARS)
            yield start, cut
            start = cut
        if end > start:
            yield start, end


def _last_space(text: str, start: int, end: int) -> int:
    """The position after the last white space of a range; its end if there is none."""
    cut = max(text.rfind(space, start, end) for space in " \n\t") + 1
    return cut if cut > start else end
