"""What a known answer can be for the heads: places in the texts, signed sums, or a count."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from workings.encoder.inputs import PassageInput, TokenizedText
from workings.peers.signs import Signs, find_signs, operands_of
from workings.settings import PeerSettings
from workings.supervision.supervise import Supervision

Places = Sequence[tuple[int, int]]  # first and last pieces


@dataclass(frozen=True)
class Gold:
    """All derivations of one answer, by their type."""

    passage: Places
    question: Places
    signs: Sequence[Signs]
    count: int | None

    @property
    def known(self) -> list[bool]:
        """Which types have any, in the order of the heads' types."""
        places = [bool(ways) for ways in (self.passage, self.question, self.signs)]
        return [*places, self.count is not None]


def find_gold(
    known: Supervision, question: TokenizedText, passage: PassageInput, settings: PeerSettings
) -> Gold:
    """The derivations of an answer; every place and every sum that gives it counts."""
    dated = [(m.start, m.end) for m in passage.values.dates if m.date in known.dates]
    inside = [passage.tokens.locate(*span) for span in (*known.spans, *dated)]
    asked = [question.locate(*span) for span in known.question_spans]
    if inside and settings.question_last:
        asked = []
    return Gold(
        passage=inside,
        question=asked,
        signs=_signs(known, passage, settings),
        count=next((int(n) for n in known.numbers if n in range(settings.largest_count + 1)), None),
    )


def _signs(known: Supervision, passage: PassageInput, settings: PeerSettings) -> list[Signs]:
    """The shortest sums of each known number; at least one operand must stand in the passage."""
    operands, written = operands_of(passage, settings.constants), len(passage.values.numbers)
    ways = (
        signs
        for number in known.numbers
        for signs in find_signs(operands, number, settings.operands)
        if signs[0][0] < written
    )
    return list(islice(ways, settings.derivations))
