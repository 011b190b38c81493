"""Plain data is the tensors' own: words gather their pieces, bars are the distributions."""

from dataclasses import replace
from fractions import Fraction

import pytest
import torch

from tiny import PASSAGE, QUESTION
from workings.arithmetic.support import Support
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.decoding import Prediction
from workings.inference.explaining import FLOOR, MOST_VALUES, Texts, explain, show
from workings.inference.ranking import AnswerPolicy, Candidate
from workings.network.programmer import ScoredProgram
from workings.ops.results import Attention, Dates, Numbers, Result, Span, Spans, TokenProbabilities
from workings.program import Program
from workings.reader import Reader

TEXT = "Okafor kicked 24-yard goals on 3 May 1901 and in 1936."


@pytest.fixture(scope="module")
def texts(reader: Reader) -> Texts:
    tokenizer = reader.network.tokenizer
    passage = PassageInput.read(TEXT, tokenizer)
    return Texts(
        reader.network.encoder([TokenizedText.cut("Who kicked?", tokenizer)], [passage]), 0
    )


def on_words(texts: Texts, result: Result) -> dict[str, float]:
    return {share.text: share.weight for share in show(result, texts).shares}


def weights_of(texts: Texts, **words: float) -> torch.Tensor:
    """A row of weights, a word's weight spread evenly over its pieces."""
    pieces = texts.input.tokens
    row = torch.zeros(1, len(pieces))
    for word, weight in words.items():
        start = TEXT.index(word)
        first, last = pieces.locate(start, start + len(word))
        row[0, first : last + 1] = weight / (last - first + 1)
    return row


def test_some_words_are_of_several_pieces(texts: Texts) -> None:
    first, last = texts.input.tokens.locate(0, len("Okafor"))
    assert last > first


def test_a_word_has_the_sum_of_its_pieces(texts: Texts) -> None:
    row = weights_of(texts, Okafor=0.6, goals=0.3)
    shown = show(Attention(row, torch.zeros(1, 3)), texts)
    assert [(share.text, share.weight) for share in shown.shares] == [
        ("Okafor", pytest.approx(0.6)),
        ("goals", pytest.approx(0.3)),
    ]
    assert shown.other == 0
    assert shown.nothing == pytest.approx(0.1)


def test_small_words_are_summed_up(texts: Texts) -> None:
    row = weights_of(texts, Okafor=1 - FLOOR / 2, goals=FLOOR / 2)
    shown = show(Attention(row, torch.zeros(1, 3)), texts)
    assert [share.text for share in shown.shares] == ["Okafor"]
    assert shown.other == pytest.approx(FLOOR / 2, rel=1e-2)


def test_marks_keep_their_sum_and_spans_their_highest(texts: Texts) -> None:
    row = weights_of(texts, Okafor=1.2, kicked=0.8)
    assert on_words(texts, TokenProbabilities(row)) == pytest.approx({"Okafor": 1.2, "kicked": 0.8})
    odds = torch.full_like(row, -20.0)
    odds[0, 0] = 20.0
    assert on_words(texts, Spans(odds)) == pytest.approx({"Okafor": 1.0}, abs=1e-4)


def test_numbers_are_bars_and_the_rest_is_accounted_for(texts: Texts) -> None:
    support = Support(tuple(Fraction(place, 3) for place in range(12)))
    weights = torch.linspace(0.01, 0.12, 12)[None]  # sums to 0.78
    shown = show(Numbers(weights, [support]), texts)
    labels = [share.text for share in shown.shares]
    assert labels == ["11/3", "10/3", "3", "8/3", "7/3", "2", "5/3", "4/3"]
    assert len(labels) == MOST_VALUES
    assert shown.other == pytest.approx(0.01 + 0.02 + 0.03 + 0.04)
    assert shown.nothing == pytest.approx(0.22)


def test_dates_are_written_out(texts: Texts) -> None:
    shown = show(Dates(torch.tensor([[0.25, 0.75]])), texts)
    assert [(share.text, share.weight) for share in shown.shares] == [
        ("1936", 0.75),
        ("3 May 1901", 0.25),
    ]


def test_no_values_is_nothing(texts: Texts) -> None:
    shown = show(Numbers(torch.zeros(1, 0), [Support(())]), texts)
    assert (shown.shares, shown.nothing) == ((), 1.0)


def test_a_span_shows_the_words_chosen(texts: Texts) -> None:
    offset = texts.encoding.question.shape[1]
    length = offset + len(texts.input.tokens)
    start, end = torch.full((2, 1, length), -20.0)
    first, _ = texts.input.tokens.locate(0, 6)
    _, last = texts.input.tokens.locate(7, 13)
    start[0, offset + first], end[0, offset + last] = torch.tensor([0.5, 0.8]).log()
    assert on_words(texts, Span(start, end)) == pytest.approx({"Okafor kicked": 0.4})


def attempt_of(reader: Reader, text: str, score: float, answer: Prediction) -> Candidate:
    network = reader.network
    tokenizer = network.tokenizer
    pieces, passage = TokenizedText.cut(QUESTION, tokenizer), PassageInput.read(PASSAGE, tokenizer)
    program = Program.parse(text)
    with torch.inference_mode():
        encoding = network.encoder([pieces], [passage])
        _, asked = network.programmer.score(encoding, [program])
        looked = torch.stack(asked)[:, 0]
        (execution,) = network.run(encoding, [(0, program)], [looked])
    return Candidate(ScoredProgram(0, program, torch.tensor(score).log(), looked), execution, 0, answer)


def test_confidence_is_of_program_and_answer_together(reader: Reader) -> None:
    candidates = [
        attempt_of(reader, "count(find)", 0.5, Prediction(("2",), 0.8, Fraction(2))),
        attempt_of(reader, "spans(find)", 0.25, Prediction(("Ada", "Ben"), 0.4)),
    ]
    found = explain(candidates, AnswerPolicy())
    assert found.confidence == pytest.approx(0.4)
    assert (found.answer.texts, found.answer.value) == (("2",), "2")
    (other,) = found.alternatives
    assert (str(other.answer), other.confidence) == ("Ada, Ben", pytest.approx(0.1))
    cooler = explain(candidates, AnswerPolicy(top_k=1, temperature=2.0))
    assert cooler.confidence == pytest.approx(0.4**0.5)
    assert cooler.alternatives == ()


def test_programs_that_agree_make_an_answer_surer(reader: Reader) -> None:
    told = Prediction(("2",), 0.8, Fraction(2))
    candidates = [attempt_of(reader, "count(find)", 0.5, told)]
    candidates += [attempt_of(reader, "find-num(find)", 0.25, replace(told, probability=0.4))]
    found = explain(candidates, AnswerPolicy())
    assert found.confidence == pytest.approx(0.5 * 0.8 + 0.25 * 0.4)
    assert found.probability == pytest.approx(0.5)
    assert explain(candidates, AnswerPolicy(top_k=1)).confidence == pytest.approx(0.5)


def test_below_the_threshold_it_does_not_know(reader: Reader) -> None:
    candidates = [attempt_of(reader, "count(find)", 0.5, Prediction(("2",), 0.8, Fraction(2)))]
    found = explain(candidates, AnswerPolicy(threshold=0.41))
    assert found.abstained
    assert (found.answer.texts, str(found.answer)) == ((), "I do not know")
    assert str(found.alternatives[0].answer) == "2"
    assert not explain(candidates, AnswerPolicy(threshold=0.39)).abstained


def test_no_answer_is_an_abstention(reader: Reader) -> None:
    found = explain([attempt_of(reader, "count(find)", 0.5, Prediction((), 0.0))], AnswerPolicy())
    assert found.abstained
    assert found.alternatives == ()
