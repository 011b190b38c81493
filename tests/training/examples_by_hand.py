"""Examples written out: what is known of a question, on pieces of one word each."""

from typing import Any

from handmade import cut, passage_input
from workings.data.derivations import Supervision
from workings.data.records import Question
from workings.program import Program
from workings.training.examples import Candidate, Example


def example(question: str, passage: str, *programs: str, **known: Any) -> Example:
    """One question whose supervision holds what is given by name."""
    return Example(
        Question("q", question, ()),
        cut(question),
        passage_input(passage),
        Supervision(**known),
        tuple(Candidate(Program.parse(text), ()) for text in programs),
    )


def span_of(text: str, words: str) -> tuple[int, int]:
    """Where words stand in a text."""
    return text.index(words), text.index(words) + len(words)
