"""Estimates how long questions take, from the length of their texts and the measured throughput."""

import re

from workings.program import Program

# The programmer and the interpreter cost about as much per question as this many word pieces.
_PIECES_PER_QUESTION = 256
_WORDS = re.compile(r"\w+|[^\w\s]")
# Word pieces a second of a slow processor, assumed before the first measurement.
_INITIAL_THROUGHPUT = 1500.0
# Weight of the newest batch in the moving average.
_NEWEST = 0.2


def count_pieces(question: str, passage: str, program: Program | None = None) -> int:
    """Estimate the work of one question, in word pieces of the encoder.

    The estimate needs no tokenizer, so that it is made before a question enters the queue. The
    steps of a given program are counted like questions, since each can read the whole passage.

    Args:
        question: The question.
        passage: The passage.
        program: The program to run, if one is given.
    """
    text = f"{question} {passage}"
    words = sum(1 for _ in _WORDS.finditer(text))
    pieces = max(words, len(text) // 4) + _PIECES_PER_QUESTION
    steps = sum(1 for _ in program.walk()) if program else 0
    return pieces * max(1, steps // 8)


class Throughput:
    """Word pieces answered a second: a moving average over batches."""

    def __init__(self) -> None:
        self.pieces_per_second = _INITIAL_THROUGHPUT

    def record(self, pieces: int, seconds: float) -> None:
        """Record a batch.

        Args:
            pieces: The estimated work of the batch.
            seconds: Its duration.
        """
        measured = pieces / max(seconds, 1e-3)
        # A fall counts more than a rise, so that the queue does not accept too much.
        weight = _NEWEST if measured > self.pieces_per_second else 0.5
        self.pieces_per_second += weight * (measured - self.pieces_per_second)

    def seconds(self, pieces: int) -> float:
        """Estimate the duration of an amount of work."""
        return pieces / self.pieces_per_second

    def best_seconds(self, pieces: int) -> float:
        """Estimate a duration at the measured throughput, at least that of a slow processor.

        Requests are refused for good by this estimate only: a machine may be slow for a time.
        """
        return pieces / max(self.pieces_per_second, _INITIAL_THROUGHPUT)
