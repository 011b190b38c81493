"""Windows of a passage, and a question paired with one window."""

from collections.abc import Sequence
from dataclasses import dataclass

TokenIds = tuple[int, ...]


@dataclass(frozen=True)
class Window:
    """A part of a passage that fits into the encoder.

    Attributes:
        start: First token.
        stop: Token after the last.
        keep: First token whose vector is taken from this window instead of the one before.
    """

    start: int
    stop: int
    keep: int


@dataclass(frozen=True)
class QuestionWindow:
    """A question and one window of its passage, each with its closing special token.

    The last three fields are filled only if the encoder embeds lexical matches.

    Attributes:
        question_ids: Token ids of the question.
        passage_ids: Token ids of the window.
        question_matches: For each question token the position of its word in the question.
        passage_matches: For each passage token the position of its word in the question.
        clauses: For each passage token the number of its clause.
    """

    question_ids: TokenIds
    passage_ids: TokenIds
    question_matches: Sequence[int] = ()
    passage_matches: Sequence[int] = ()
    clauses: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.question_ids) + len(self.passage_ids)


def split_windows(length: int, size: int, overlap: int) -> list[Window]:
    """Cover a passage with overlapping windows; each token is kept where it has most context.

    Args:
        length: Number of tokens of the passage.
        size: Number of tokens of a window.
        overlap: Number of tokens that neighbouring windows share.
    """
    if length <= size:
        return [Window(0, length, 0)]
    step = max(size - overlap, 1)
    starts = [*range(0, length - size, step), length - size]
    windows = [Window(0, size, 0)]
    for start in starts[1:]:
        windows.append(Window(start, start + size, (start + windows[-1].stop) // 2))
    return windows
