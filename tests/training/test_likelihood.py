"""The log-likelihood of known answers, by hand."""

from dataclasses import replace
from fractions import Fraction
from math import exp, log

import pytest
import torch
from examples_by_hand import example, span_of
from torch import Tensor

from handmade import encoding_of
from workings.arithmetic.support import Support
from workings.data.records import GoldAnswer
from workings.encoder.encoding import Encoding
from workings.ops.results import Attention, Dates, Nothing, Numbers, Result, Span, Spans
from workings.training.examples import TrainingExample
from workings.training.likelihood import answer_log_likelihood
from workings.values import Date

PASSAGE = "Ada won in 1990, Ben in May 1995, Ada in 1999."
QUESTION = "Was it Ada or Ben?"
FLOOR = log(1e-8)


def encode(*examples: TrainingExample) -> Encoding:
    return encoding_of(
        [each.tokens for each in examples],
        [each.passage for each in examples],
        [torch.zeros(len(each.tokens), 2) for each in examples],
        [torch.zeros(len(each.passage), 2) for each in examples],
    )


def log_likelihood(result: Result, *examples: TrainingExample) -> list[float]:
    values: list[float] = answer_log_likelihood(result, encode(*examples), examples).tolist()
    return values


def test_numbers() -> None:
    examples = [
        example(QUESTION, PASSAGE, numbers=numbers)
        for numbers in ((Fraction(7),), (Fraction(8),), (Fraction(7), Fraction(9)), ())
    ]
    support = Support((Fraction(7), Fraction(9)))
    result = Numbers(torch.tensor([[0.25, 0.5]] * 4), [support] * 4)
    expected = [log(0.25), FLOOR, log(0.75), FLOOR]
    assert log_likelihood(result, *examples) == pytest.approx(expected, abs=1e-5)


def test_nothing_answers_only_questions_without_an_answer() -> None:
    without = example(QUESTION, PASSAGE)
    answered = replace(without, question=replace(without.question, answers=(GoldAnswer("7"),)))
    flagged = replace(answered, question=replace(answered.question, unanswerable=True))
    result = Nothing(torch.tensor([0.5, 0.5, 0.5]))
    found = log_likelihood(result, without, answered, flagged)
    assert found == pytest.approx([log(0.5), FLOOR, log(0.5)], abs=1e-5)


def test_dates() -> None:
    dated = example(QUESTION, PASSAGE, dates=(Date(1995, 5),))
    result = Dates(torch.tensor([[0.2, 0.7, 0.1]]))
    assert log_likelihood(result, dated) == pytest.approx([log(0.7)])


def uniform_span(examples: int, size: int) -> Span:
    uniform = torch.full((examples, size), -log(size))
    return Span(uniform, uniform.clone())


def test_span_sums_over_all_occurrences_of_the_answer() -> None:
    spans = tuple(span_of(PASSAGE, words) for words in ("Ada won", "Ben"))
    examples = [
        example(QUESTION, PASSAGE, spans=spans, question_spans=(span_of(QUESTION, "Ben"),)),
        example(QUESTION, PASSAGE, spans=spans[:1]),
    ]
    size = len(examples[0].tokens) + len(examples[0].passage)
    expected = [log(3 / size**2), log(1 / size**2)]
    assert log_likelihood(uniform_span(2, size), *examples) == pytest.approx(expected)


def test_span_reads_the_right_tokens() -> None:
    with_span = example(QUESTION, PASSAGE, spans=(span_of(PASSAGE, "Ben in May"),))
    size, offset = len(with_span.tokens) + len(with_span.passage), len(with_span.tokens)
    start, end = torch.full((1, size), -9.0), torch.full((1, size), -9.0)
    start[0, offset + 5], end[0, offset + 7] = -0.5, -0.25
    assert log_likelihood(Span(start, end), with_span) == pytest.approx([-0.75])


def test_an_impossible_span_has_a_finite_loss() -> None:
    in_question = example(QUESTION, PASSAGE, question_spans=(span_of(QUESTION, "Ada"),))
    size = len(in_question.tokens) + len(in_question.passage)
    scores = torch.full((1, size), -log(size))
    scores[0, : len(in_question.tokens)] = torch.finfo(torch.float).min
    leaf = scores.requires_grad_()
    nowhere = example(QUESTION, PASSAGE)
    for known, expected in ((in_question, -1e4), (nowhere, log(1e-8))):
        value = answer_log_likelihood(Span(leaf, leaf * 1), encode(known), [known])
        value.sum().backward()
        assert value.item() == pytest.approx(expected)
        assert leaf.grad is not None and bool(leaf.grad.isfinite().all())


def test_spans_cover_the_answers_and_nothing_else() -> None:
    spans = tuple(span_of(PASSAGE, name) for name in ("Ada won", "Ben"))
    two_spans = example(QUESTION, PASSAGE, spans=spans)
    short = example(QUESTION, "Eve won.", spans=((0, 3),))
    logits = torch.full((2, len(two_spans.passage)), -1.0)
    logits[0, [0, 1, 5]] = 2.0
    logits[1, 0] = 3.0

    def inside(logit: float) -> float:
        return log(1 / (1 + exp(-logit)))

    outside = inside(1.0)
    first = 3 * inside(2.0) + (len(two_spans.passage) - 3) * outside
    second = inside(3.0) + 2 * outside
    expected = [first / 3, second]  # divided by the number of answer tokens
    assert log_likelihood(Spans(logits), two_spans, short) == pytest.approx(expected, rel=1e-5)


def test_rejects_results_that_are_no_answers() -> None:
    attention = Attention(torch.zeros(1, 1), torch.zeros(1, 1))
    with pytest.raises(AssertionError):
        log_likelihood(attention, example(QUESTION, PASSAGE))


def test_gradients() -> None:
    known = example(QUESTION, PASSAGE, spans=(span_of(PASSAGE, "Ben"),), dates=(Date(1999),))
    encoding, size = encode(known), len(known.tokens) + len(known.passage)

    def span(start: Tensor, end: Tensor) -> Tensor:
        return answer_log_likelihood(Span(start, end), encoding, [known])

    def spans(logits: Tensor) -> Tensor:
        return answer_log_likelihood(Spans(logits), encoding, [known])

    leaves = [torch.randn(1, size).double().requires_grad_() for _ in range(2)]
    assert torch.autograd.gradcheck(span, leaves, fast_mode=True)
    logits = torch.randn(1, len(known.passage)).double().requires_grad_()
    assert torch.autograd.gradcheck(spans, logits, fast_mode=True)
