"""The question-attention loss: each step attends to the words that ask for it."""

from dataclasses import replace
from math import log

import pytest
import torch

from tiny import tiny_tokenizer
from workings.data.records import Ask, Question
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
TOKENS = TokenizedText.tokenize(QUESTION, TOKENIZER)


def example(question: str) -> TrainingExample:
    tokens = TokenizedText.tokenize(question, TOKENIZER)
    passage = PassageInput.from_text(PASSAGE, TOKENIZER)
    return TrainingExample(Question("q", question, ()), tokens, passage, Supervision(), ())


def execute(text: str, *find_attentions: list[float]) -> Step:
    """The steps of a program, with the given question attentions of its finds."""
    remaining = iter(find_attentions)

    def step(program: Program) -> Step:
        inputs = tuple(step(child) for child in program.children)
        weights = torch.tensor([[0.0] * len(TOKENS) if program.children else next(remaining)])
        return Step(program, weights, inputs, Attention(weights, weights))

    return step(Program.parse(text))


def weights(**by_word: float) -> list[float]:
    """Weights at the first token of some words of the question, 0 elsewhere."""
    values = [0.0] * len(TOKENS)
    for word, weight in by_word.items():
        start = QUESTION.index(word)
        values[TOKENS.locate(start, start + 1)[0]] = weight
    return values


def test_mean_over_both_events() -> None:
    first, second = weights(fort=0.5, war=0.5), weights(war=0.2, happened=0.8)
    step = execute("span(compare-date-lt(find, find))", first, second)
    loss = question_attention_loss(step, [example(QUESTION)], [()])
    assert loss.tolist() == pytest.approx([-(log(0.5) + log(0.2)) / 2], rel=1e-4)


def test_annotated_words_have_even_attention() -> None:
    asks = (Ask("find", "the fort or the war"),)
    annotated = replace(example(QUESTION), question=Question("q", QUESTION, (), asks=asks))
    step = execute("count(find)", weights(fort=0.5, war=0.2, happened=0.3))
    loss = question_attention_loss(step, [annotated], [()])
    assert loss.tolist() == pytest.approx([-(log(0.5) + log(0.2)) / 2], rel=1e-4)


def test_is_zero_without_two_events() -> None:
    step = execute("span(compare-date-lt(find, find))", weights(fort=1.0), weights(fort=1.0))
    assert question_attention_loss(step, [example("Did the war happen first?")], [()]).tolist() == [
        0
    ]


def test_is_zero_without_a_comparison() -> None:
    step = execute("sub(find-num(find), find-num(find))", weights(war=1.0), weights(war=1.0))
    assert question_attention_loss(step, [example(QUESTION)], [()]).tolist() == [0]
