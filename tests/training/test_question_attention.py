"""Each find of a comparison is taught to ask about its own event."""

from math import log

import pytest
import torch

from tiny import tiny_tokenizer
from workings.data.records import Question
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.network.interpreter import Step
from workings.ops.results import Attention
from workings.program import Program
from workings.supervision.supervise import Supervision
from workings.training.examples import TrainingExample
from workings.training.question_attention import question_attention_loss

PASSAGE = "The fort was built in 1640. The war began in 1622."
QUESTION = "What happened first, the fort or the war?"
TOKENIZER = tiny_tokenizer(PASSAGE, QUESTION)


def example(question: str) -> TrainingExample:
    pieces = TokenizedText.cut(question, TOKENIZER)
    read = PassageInput.read(PASSAGE, TOKENIZER)
    return TrainingExample(Question("q", question, ()), pieces, read, Supervision(), ())


def ran(text: str, **asked: list[float]) -> Step:
    """A program's steps with a question attention for each find: first, second."""
    given = iter(asked.values())

    def step(program: Program) -> Step:
        inputs = tuple(step(child) for child in program.children)
        words = next(given) if not program.children else [0.0] * len(example(QUESTION).tokens)
        weights = torch.tensor([words])
        return Step(program, weights, inputs, Attention(weights, weights))

    return step(Program.parse(text))


def words(**weights: float) -> list[float]:
    """A weight for some words of the question, by their first piece."""
    pieces, found = example(QUESTION).tokens, [0.0] * len(example(QUESTION).tokens)
    for word, weight in weights.items():
        found[pieces.locate(QUESTION.index(word), QUESTION.index(word) + 1)[0]] = weight
    return found


def test_the_weight_on_each_event_is_what_counts() -> None:
    first, second = words(fort=0.5, war=0.5), words(war=0.2, happened=0.8)
    step = ran("span(compare-date-lt(find, find))", first=first, second=second)
    found = question_attention_loss(step, [example(QUESTION)])
    assert found.tolist() == pytest.approx([-(log(0.5) + log(0.2)) / 2], rel=1e-4)


def test_a_question_without_two_events_teaches_nothing() -> None:
    step = ran("span(compare-date-lt(find, find))", first=words(fort=1.0), second=words(fort=1.0))
    assert question_attention_loss(step, [example("Did the war happen first?")]).tolist() == [0]


def test_other_programs_are_left_alone() -> None:
    step = ran("sub(find-num(find), find-num(find))", first=words(war=1.0), second=words(war=1.0))
    assert question_attention_loss(step, [example(QUESTION)]).tolist() == [0]
