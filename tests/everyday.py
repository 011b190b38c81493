"""Everyday texts with questions whose answers are worked out by hand: ``everyday.toml``."""

import tomllib
from dataclasses import dataclass
from datetime import date, time
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from workings.data.records import GoldAnswer

Quantity: TypeAlias = int | Fraction | date


@dataclass(frozen=True, kw_only=True)
class EverydayQuestion:
    """A question about an everyday text.

    Most fields after ``answer`` are optional; they say how the answer follows from the text.

    Attributes:
        text: The text that the question is about.
        question: The question.
        type: What it asks for; one of ``QUESTION_TYPES``.
        answer: The answer, several phrases for a list, none if the text does not say.
        also: Other acceptable ways to write an answer of one phrase.
        equation: The calculation that gives a number.
        numbers: The candidates of a largest or smallest number.
        counted: The counted mentions, verbatim.
        dates: The two dates of a time between dates.
        times: The clock times of a start and an end, which may lie after midnight.
        values: The number or date of each thing that is compared.
        rank: The position of the answer among ``values``: 1 is the largest, 2 the second largest,
            -1 the smallest.
        trivial: Whether every model that is shipped must answer it.
    """

    text: str
    question: str
    type: str
    answer: tuple[str, ...]
    also: tuple[str, ...] = ()
    equation: str = ""
    numbers: tuple[int | Fraction, ...] = ()
    counted: tuple[str, ...] = ()
    dates: tuple[date, ...] = ()
    times: tuple[time, ...] = ()
    values: tuple[tuple[str, Quantity], ...] = ()
    rank: int = 0
    trivial: bool = False

    @property
    def gold(self) -> tuple[GoldAnswer, ...]:
        """The accepted answers, for the scorer; none if the text does not say."""
        if not self.answer:
            return ()
        return (GoldAnswer(spans=self.answer), *(GoldAnswer(spans=(text,)) for text in self.also))


def load_questions() -> list[EverydayQuestion]:
    """Read the questions of all texts."""
    source = Path(__file__).with_name("everyday.toml").read_text("utf-8")
    texts = tomllib.loads(source, parse_float=Fraction)["texts"]
    return [_question(text["text"], fields) for text in texts for fields in text["questions"]]


def _question(text: str, fields: dict[str, Any]) -> EverydayQuestion:
    answer = fields.pop("answer")
    answers = (answer,) if isinstance(answer, str) else tuple(answer)
    values = tuple(fields.pop("values", {}).items())
    frozen: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    return EverydayQuestion(text=text, answer=answers, values=values, **frozen)
