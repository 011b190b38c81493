"""Targets of the heads: every span, signed sum or count that gives a known answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from workings.encoder.inputs import PassageInput, TokenizedText
from workings.peers.signs import SignedTerms, find_signs, operands_of
from workings.settings import PeerSettings
from workings.supervision.derivation import Supervision

TokenSpans = Sequence[tuple[int, int]]  # first and last tokens


@dataclass(frozen=True)
class AnswerTargets:
    """All derivations of one answer, by type of answer.

    Attributes:
        passage: Spans of the passage.
        question: Spans of the question.
        signs: Signed sums of numbers.
        count: The answer as a count, if it can be one.
    """

    passage: TokenSpans
    question: TokenSpans
    signs: Sequence[SignedTerms]
    count: int | None

    @property
    def available(self) -> list[bool]:
        """Whether each type has a derivation, in the order of ``heads.TYPES``."""
        available = [bool(found) for found in (self.passage, self.question, self.signs)]
        return [*available, self.count is not None]


def find_targets(
    supervision: Supervision,
    question: TokenizedText,
    passage: PassageInput,
    settings: PeerSettings,
) -> AnswerTargets:
    """Find all derivations of an answer.

    Args:
        supervision: The spans, numbers and dates of the answer.
        question: The question.
        passage: The passage.
        settings: The largest count, the constants, and the size and number of sums.
    """
    date_spans = [(m.start, m.end) for m in passage.values.dates if m.date in supervision.dates]
    in_passage = [passage.tokens.locate(*span) for span in (*supervision.spans, *date_spans)]
    in_question = [question.locate(*span) for span in supervision.question_spans]
    if in_passage and settings.question_last:
        in_question = []
    counts = range(settings.largest_count + 1)
    return AnswerTargets(
        passage=in_passage,
        question=in_question,
        signs=_signs(supervision, passage, settings),
        count=next((int(number) for number in supervision.numbers if number in counts), None),
    )


def _signs(
    supervision: Supervision, passage: PassageInput, settings: PeerSettings
) -> list[SignedTerms]:
    """The shortest sums that give each number of the answer, with an operand from the passage."""
    operands = operands_of(passage, settings.constants)
    mentions = len(passage.values.numbers)
    sums = (
        signs
        for number in supervision.numbers
        for signs in find_signs(operands, number, settings.operands)
        if signs[0][0] < mentions  # constants come after all mentions
    )
    return list(islice(sums, settings.derivations))
