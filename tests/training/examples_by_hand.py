"""Training examples with hand-written supervision; each token is a whole word."""

from typing import Any

from handmade import passage_input, tokenize
from workings.data.records import Question
from workings.program import Program
from workings.supervision.supervise import Supervision
from workings.training.examples import SupervisedProgram, TrainingExample


def example(question: str, passage: str, *programs: str, **supervision: Any) -> TrainingExample:
    """An example with the given programs and fields of its supervision."""
    return TrainingExample(
        Question("q", question, ()),
        tokenize(question),
        passage_input(passage),
        Supervision(**supervision),
        tuple(SupervisedProgram(Program.parse(text), ()) for text in programs),
    )


def span_of(text: str, words: str) -> tuple[int, int]:
    """The character span of words in a text."""
    return text.index(words), text.index(words) + len(words)
