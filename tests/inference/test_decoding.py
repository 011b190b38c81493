"""Tests of decoding results into answers."""

from fractions import Fraction
from math import exp, log, prod

import pytest
import torch

from handmade import encode
from workings.arithmetic.support import Support
from workings.inference.decoding import Prediction, decode
from workings.ops.results import Attention, Dates, Numbers, Result, Span, Spans
from workings.ops.span_scores import MAX_SPAN_TOKENS

ENCODING = encode([("Was it Ada or Ben?", "Ada won in May 1453, Ben on 3 June."), ("Who?", "Eve.")])
QUESTION_WIDTH, PASSAGE_WIDTH = 6, 10


def span(start: int, end: int, probability: float = 0.9) -> Span:
    """A span with most of the weight on one start and one end, over question then passage."""
    size = QUESTION_WIDTH + PASSAGE_WIDTH
    rest = log((1 - probability) / (size - 1))
    ends = torch.full((2, 2, size), rest)
    ends[0, :, start] = ends[1, :, end] = log(probability)
    return Span(ends[0], ends[1])


def test_number() -> None:
    support = Support((Fraction(1, 2), Fraction(3)))
    answer = decode(Numbers(torch.tensor([[0.6, 0.4]]), [support]), ENCODING, 0)
    assert (answer.texts, answer.value) == (("0.5",), Fraction(1, 2))
    assert answer.probability == pytest.approx(0.6)


def test_padding_is_ignored() -> None:
    supports = [Support((Fraction(3),)), Support((Fraction(1), Fraction(2)))]
    numbers = Numbers(torch.tensor([[0.1, 0.9], [0.5, 0.5]]), supports)
    assert str(decode(numbers, ENCODING, 0)) == "3"


@pytest.mark.parametrize(
    "result",
    [Numbers(torch.zeros(2, 0), [Support(()), Support(())]), Dates(torch.zeros(2, 0))],
    ids=["no years", "no dates"],
)
def test_no_answer_without_values(result: Result) -> None:
    answer = decode(result, ENCODING, 1)
    assert (answer.texts, answer.probability) == ((), 0.0)


def test_date() -> None:
    answer = decode(Dates(torch.tensor([[0.2, 0.8], [0.0, 0.0]])), ENCODING, 0)
    assert answer.texts == ("3 June",)


def test_span_in_the_passage() -> None:
    answer = decode(span(QUESTION_WIDTH + 3, QUESTION_WIDTH + 4), ENCODING, 0)
    assert answer.texts == ("May 1453",)
    assert answer.places == (("passage", 11, 19),)
    assert answer.probability == pytest.approx(0.81)


def test_span_in_the_question() -> None:
    answer = decode(span(2, 2), ENCODING, 0)
    assert answer.texts == ("Ada",)
    assert answer.places == (("question", 7, 10),)


def test_span_stays_in_order_and_in_one_text() -> None:
    answer = decode(span(QUESTION_WIDTH + 4, QUESTION_WIDTH + 1), ENCODING, 0)
    (_, start, end) = answer.places[0]
    assert start < end
    crossing = decode(span(2, QUESTION_WIDTH + 1), ENCODING, 0)
    assert len(crossing.texts) == 1 and crossing.probability < 0.1


def test_span_has_a_maximum_length() -> None:
    words = " ".join(["word"] * 90)
    encoding = encode([("Who?", words)])
    ends = torch.zeros(2, 1, 92)
    ends[0, 0, 2], ends[1, 0, 91] = 5.0, 5.0
    start, end = torch.log_softmax(ends, -1)
    answer = decode(Span(start, end), encoding, 0)
    assert len(answer.texts[0].split()) <= MAX_SPAN_TOKENS


def test_length_penalty_keeps_a_span_from_joining_two_candidates() -> None:
    encoding = encode([("Who?", "Ada and then Ben")])
    ends = torch.full((1, 2 + 4), -20.0)
    ends[0, [2, 5]] = torch.tensor([0.5, 0.5]).log()  # start and end at Ada or at Ben
    answer = decode(Span(ends, ends), encoding, 0)
    assert answer.texts[0] in ("Ada", "Ben")
    assert answer.probability == pytest.approx(0.25)


def decode_candidates(
    passage: str, probabilities: dict[tuple[int, int], float], question: str = "Ada?"
) -> Prediction:
    """Decode a span whose candidates have given probabilities.

    Candidates are given by first and last token. Indices from 0 on are of the passage, negative
    ones of the question, whose last token is -1.
    """
    encoding = encode([(question, passage)])
    offset, length = len(encoding.questions[0]), len(encoding.inputs[0].tokens)
    weights = torch.full((1, offset + length, MAX_SPAN_TOKENS), -torch.inf)
    for (first, last), probability in probabilities.items():
        weights[0, offset + first, last - first] = log(probability)
    ends = torch.zeros(weights.shape[:2])
    return decode(Span(ends, ends, weights), encoding, 0)


def test_equal_phrases_are_summed() -> None:
    answer = decode_candidates("Ben met Ada and ben left", {(0, 0): 0.3, (2, 2): 0.4, (4, 4): 0.25})
    assert answer.texts == ("Ben",)
    assert answer.probability == pytest.approx(0.55)
    assert answer.places == (("passage", 0, 3), ("passage", 16, 19))


def test_prefers_the_spelling_of_the_passage() -> None:
    answer = decode_candidates(
        "Rey's house burned; so did Ada's.",
        {(-5, -2): 0.5, (0, 3): 0.1, (7, 9): 0.4},  # first: "rey 's house" of the question
        "Which burned, rey 's house?",
    )
    assert answer.texts == ("Rey's house",)
    assert answer.probability == pytest.approx(0.6)
    assert answer.places == (("question", 14, 26), ("passage", 0, 11))


def test_spelling_with_punctuation_is_not_preferred() -> None:
    answer = decode_candidates("9 % Rey.", {(-2, -2): 0.5, (1, 2): 0.3, (0, 0): 0.2}, "Was it rey?")
    assert answer.texts == ("rey",)
    assert answer.probability == pytest.approx(0.8)


def test_phrase_of_the_question_alone() -> None:
    answer = decode_candidates("It burned.", {(-2, -2): 0.6, (0, 0): 0.4}, "Was it rey?")
    assert answer.texts == ("rey",)


def test_longer_phrase_is_a_different_answer() -> None:
    answer = decode_candidates("Ben Hall met Ada", {(0, 0): 0.3, (0, 1): 0.3, (3, 3): 0.4})
    assert answer.texts == ("Ada",)


def test_independent_ends_give_one_candidate_per_text() -> None:
    encoding = encode([("Who?", "Ben met Ada and Ben left")])
    ends = torch.full((1, 2 + 6), -20.0)
    ends[0, [2, 4, 6]] = torch.tensor([0.3, 0.4, 0.3]).log()
    assert decode(Span(ends, ends), encoding, 0).texts == ("Ada",)


def test_spans() -> None:
    odds = torch.full((2, PASSAGE_WIDTH), -2.0)
    odds[0, [0, 3, 4, 6]] = torch.tensor([1.0, 3.0, 2.0, 0.5])
    answer = decode(Spans(odds), ENCODING, 0)
    assert answer.texts == ("Ada", "May 1453", "Ben")
    # The product over all ten tokens, to the power of one over the four tokens inside.
    probabilities = [1 / (1 + exp(-odd)) for odd in (1.0, 3.0, 2.0, 0.5, *[2.0] * 6)]
    assert answer.probability == pytest.approx(prod(probabilities) ** (1 / 4))
    assert str(answer) == "Ada, May 1453, Ben"


@pytest.mark.parametrize(
    ("passage", "inside", "texts"),
    [
        # Each entry is a run of tokens inside the answer.
        ("a 40-yard kick, a 20-yard one", ["40", "yard", "20-yard"], ("40-yard", "20-yard")),
        ("Pat O'Brien and Lee", ["Pat O", "Brien", "Lee"], ("Pat O'Brien", "Lee")),
        ("Ada, Ben and Eve", ["Ada", ",", "Eve"], ("Ada,", "Eve")),
        ("Ada, Ben and Eve", [",", "Eve"], ("Eve",)),
        ("Ada, Ben and Eve", [","], (",",)),
        ("Ada, Ben", ["Ada", "Ben"], ("Ada", "Ben")),
    ],
)
def test_adjacent_words_are_joined(passage: str, inside: list[str], texts: tuple[str, ...]) -> None:
    encoding = encode([("Who?", passage)])
    tokens = encoding.inputs[0].tokens
    odds = torch.full((1, len(tokens)), -1.0)
    for words in inside:
        first, last = tokens.locate(start := passage.index(words), start + len(words))
        odds[0, first : last + 1] = 1.0
    answer = decode(Spans(odds), encoding, 0)
    assert answer.texts == texts
    assert tuple(passage[start:end] for _, start, end in answer.places) == texts


@pytest.mark.parametrize("level", [-0.5, -60.0, -1e4])
def test_spans_has_at_least_the_likeliest_token(level: float) -> None:
    odds = torch.full((2, PASSAGE_WIDTH), 2 * level)
    odds[0, 6] = level
    assert decode(Spans(odds), ENCODING, 0).texts == ("Ben",)


def test_attention_is_not_an_answer() -> None:
    with pytest.raises(AssertionError):
        decode(Attention(torch.zeros(1, 1), torch.zeros(1, 1)), ENCODING, 0)
