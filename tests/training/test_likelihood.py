"""Likelihoods of known answers, by hand."""

from fractions import Fraction
from math import exp, log

import pytest
import torch
from examples_by_hand import example, span_of
from torch import Tensor

from handmade import encoding_of
from workings.arithmetic.support import Support
from workings.encoder.encoding import Encoding
from workings.ops.results import Attention, Dates, Numbers, Span, Spans
from workings.training.examples import TrainingExample
from workings.training.likelihood import answer_log_likelihood
from workings.values import Date

PASSAGE = "Ada won in 1990, Ben in May 1995, Ada in 1999."
QUESTION = "Was it Ada or Ben?"
FLOOR = log(1e-8)


def encoding(*examples: TrainingExample) -> Encoding:
    return encoding_of(
        [one.tokens for one in examples],
        [one.passage for one in examples],
        [torch.zeros(len(one.tokens), 2) for one in examples],
        [torch.zeros(len(one.passage), 2) for one in examples],
    )


def likelihood(result: object, *examples: TrainingExample) -> list[float]:
    found = answer_log_likelihood(result, encoding(*examples), examples)  # type: ignore[arg-type]
    return found.tolist()


def test_numbers() -> None:
    known = [
        example(QUESTION, PASSAGE, numbers=numbers)
        for numbers in ((Fraction(7),), (Fraction(8),), (Fraction(7), Fraction(9)), ())
    ]
    support = Support((Fraction(7), Fraction(9)))
    weights = torch.tensor([[0.25, 0.5]] * 4)
    found = likelihood(Numbers(weights, [support] * 4), *known)
    assert found == pytest.approx([log(0.25), FLOOR, log(0.75), FLOOR], abs=1e-5)


def test_dates() -> None:
    one = example(QUESTION, PASSAGE, dates=(Date(1995, 5),))
    assert likelihood(Dates(torch.tensor([[0.2, 0.7, 0.1]])), one) == pytest.approx([log(0.7)])


def uniform_span(examples: int, size: int) -> Span:
    even = torch.full((examples, size), -log(size))
    return Span(even, even.clone())


def test_span_is_the_total_over_all_places_of_the_answer() -> None:
    everywhere = tuple(span_of(PASSAGE, words) for words in ("Ada won", "Ben"))
    known = [
        example(QUESTION, PASSAGE, spans=everywhere, question_spans=(span_of(QUESTION, "Ben"),)),
        example(QUESTION, PASSAGE, spans=everywhere[:1]),
    ]
    size = len(known[0].tokens) + len(known[0].passage)
    found = likelihood(uniform_span(2, size), *known)
    assert found == pytest.approx([log(3 / size**2), log(1 / size**2)])


def test_span_looks_at_the_right_words() -> None:
    one = example(QUESTION, PASSAGE, spans=(span_of(PASSAGE, "Ben in May"),))
    size, offset = len(one.tokens) + len(one.passage), len(one.tokens)
    start, end = torch.full((1, size), -9.0), torch.full((1, size), -9.0)
    start[0, offset + 5], end[0, offset + 7] = -0.5, -0.25
    assert likelihood(Span(start, end), one) == pytest.approx([-0.75])


def test_a_span_that_cannot_be_is_unlikely_but_finite() -> None:
    one = example(QUESTION, PASSAGE, question_spans=(span_of(QUESTION, "Ada"),))
    size = len(one.tokens) + len(one.passage)
    ends = torch.full((1, size), -log(size))
    ends[0, : len(one.tokens)] = torch.finfo(torch.float).min
    leaf = ends.requires_grad_()
    nowhere = example(QUESTION, PASSAGE)
    for known, unlikely in ((one, -1e4), (nowhere, log(1e-8))):
        found = answer_log_likelihood(Span(leaf, leaf * 1), encoding(known), [known])
        found.sum().backward()
        assert found.item() == pytest.approx(unlikely)
        assert leaf.grad is not None and bool(leaf.grad.isfinite().all())


def test_spans_are_marked_inside_and_nowhere_else() -> None:
    words = tuple(span_of(PASSAGE, name) for name in ("Ada won", "Ben"))
    one = example(QUESTION, PASSAGE, spans=words)
    short = example(QUESTION, "Eve won.", spans=((0, 3),))
    odds = torch.full((2, len(one.passage)), -1.0)
    odds[0, [0, 1, 5]] = 2.0
    odds[1, 0] = 3.0

    def inside(level: float) -> float:
        return log(1 / (1 + exp(-level)))

    outside = inside(1.0)
    both, eve = 3 * inside(2.0) + (len(one.passage) - 3) * outside, inside(3.0) + 2 * outside
    expected = [both / 3, eve]  # a share for each token of the answers
    assert likelihood(Spans(odds), one, short) == pytest.approx(expected, rel=1e-5)


def test_an_attention_is_no_answer() -> None:
    nothing = Attention(torch.zeros(1, 1), torch.zeros(1, 1))
    with pytest.raises(AssertionError):
        likelihood(nothing, example(QUESTION, PASSAGE))


def test_gradients() -> None:
    one = example(QUESTION, PASSAGE, spans=(span_of(PASSAGE, "Ben"),), dates=(Date(1999),))
    read, size = encoding(one), len(one.tokens) + len(one.passage)

    def span(start: Tensor, end: Tensor) -> Tensor:
        return answer_log_likelihood(Span(start, end), read, [one])

    def spans(odds: Tensor) -> Tensor:
        return answer_log_likelihood(Spans(odds), read, [one])

    leaves = [torch.randn(1, size).double().requires_grad_() for _ in range(2)]
    assert torch.autograd.gradcheck(span, leaves, fast_mode=True)
    odds = torch.randn(1, len(one.passage)).double().requires_grad_()
    assert torch.autograd.gradcheck(spans, odds, fast_mode=True)
