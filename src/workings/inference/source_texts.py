"""The passage and the question of an answer, as the texts that its values come from."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput
from workings.explain.explanation import Source
from workings.values import CharSpan, Number, read_values


@dataclass(frozen=True)
class SourceTexts:
    """A passage with its values, and a question about it."""

    passage: PassageInput
    question: str = ""

    @staticmethod
    def of(encoding: Encoding, row: int) -> "SourceTexts":
        """The texts of one row of an encoding."""
        return SourceTexts(encoding.inputs[row], encoding.questions[row].text)

    def text(self, source: Source) -> str:
        """The passage or the question."""
        return self.passage.tokens.text if source == "passage" else self.question

    def numbers(self, source: Source) -> tuple[Number, ...]:
        """The numbers of the passage or the question, in text order."""
        return self.passage.values.numbers if source == "passage" else self._question_numbers

    def number_at(
        self, span: CharSpan, value: Fraction, source: Source = "passage"
    ) -> Number | None:
        """The number mention with this place and value."""
        return self._by_place.get((source, span[0], span[1], value))

    def whole_number(self, number: Number, source: Source = "passage") -> Number:
        """The number with its scale: "3.2 million" for the "3.2" in it."""
        same_start = (n for n in self.numbers(source) if n.start == number.start)
        return max(same_start, key=lambda each: each.end)

    @cached_property
    def _by_place(self) -> dict[tuple[Source, int, int, Fraction], Number]:
        sources: tuple[Source, Source] = ("passage", "question")
        return {
            (source, number.start, number.end, number.value): number
            for source in sources
            for number in self.numbers(source)
        }

    @cached_property
    def _question_numbers(self) -> tuple[Number, ...]:
        return read_values(self.question).numbers
