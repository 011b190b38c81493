"""Examples written out: what is known of a question, on pieces of one word each."""

from typing import Any

from handmade import cut, passage_input
from workings.data.records import Question
from workings.program import Program
from workings.supervision.supervise import Supervision
from workings.training.examples import SupervisedProgram, TrainingExample


def example(question: str, passage: str, *programs: str, **known: Any) -> TrainingExample:
    """One question whose supervision holds what is given by name."""
    return TrainingExample(
        Question("q", question, ()),
        cut(question),
        passage_input(passage),
        Supervision(**known),
        tuple(SupervisedProgram(Program.parse(text), ()) for text in programs),
    )


def span_of(text: str, words: str) -> tuple[int, int]:
    """Where words stand in a text."""
    return text.index(words), text.index(words) + len(words)
