"""Answers: the likeliest reading of a result, as words and with their places."""

from dataclasses import replace
from fractions import Fraction
from math import exp, log, prod

import pytest
import torch

from handmade import cut, encode
from tiny import PASSAGE, QUESTION, tiny_network
from workings.arithmetic.support import Support
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.decoding import Prediction, decode
from workings.inference.ranking import answer_candidates, answer_probability, missing_values, rank
from workings.inference.word_boundaries import word_span
from workings.ops.results import Attention, Dates, Numbers, Result, Span, Spans
from workings.ops.span_scores import MAX_SPAN_TOKENS
from workings.values import Date

ENCODING = encode([("Was it Ada or Ben?", "Ada won in May 1453, Ben on 3 June."), ("Who?", "Eve.")])
QUESTION_WIDTH, PASSAGE_WIDTH = 6, 10


def span(start: int, end: int, chance: float = 0.9) -> Span:
    """Most of the weight on one start and one end, over question then passage."""
    size = QUESTION_WIDTH + PASSAGE_WIDTH
    rest = log((1 - chance) / (size - 1))
    ends = torch.full((2, 2, size), rest)
    ends[0, :, start] = ends[1, :, end] = log(chance)
    return Span(ends[0], ends[1])


@torch.no_grad()
def test_programs_that_lack_their_values_go_last() -> None:
    network = tiny_network()
    read = PassageInput.read("Nobody won.", network.tokenizer)
    encoding = network.encoder([TokenizedText.cut(QUESTION, network.tokenizer)], [read])
    (candidates,) = answer_candidates(network, encoding, beam=40)
    lack = [missing_values(one.scored.program, read) is not None for one in candidates]
    assert lack == sorted(lack) and set(lack) == {False, True}


@torch.no_grad()
@pytest.mark.parametrize(
    ("choose", "programs", "answers"),
    [
        # Each alone, "3" is likeliest as an answer (0.4 · 0.5); together those of "5" are.
        ("answer", [0.3, 0.1, 0.4, 0.2], ["5", "5", "3", "8"]),
        ("program", [0.4, 0.3, 0.2, 0.1], ["3", "5", "8", "5"]),
    ],
)
def test_what_is_best(choose: str, programs: list[float], answers: list[str]) -> None:
    network = tiny_network()
    read = PassageInput.read(PASSAGE, network.tokenizer)
    encoding = network.encoder([TokenizedText.cut(QUESTION, network.tokenizer)], [read])
    (made,) = answer_candidates(network, encoding)
    told = [(0.4, "3", 0.5), (0.3, "5", 0.6), (0.2, "8", 0.9), (0.1, "5", 0.4)]
    candidates = [
        replace(
            one,
            scored=replace(one.scored, score=torch.tensor(sure).log()),
            answer=Prediction((text,), chance),
        )
        for one, (sure, text, chance) in zip(made, told, strict=True)
    ]
    assert answer_probability(candidates) == pytest.approx([0.2, 0.22, 0.18, 0.22])
    ordered = rank(candidates, read, choose)
    assert [one.program_probability for one in ordered] == pytest.approx(programs)
    assert [str(one.answer) for one in ordered] == answers


def test_number() -> None:
    support = Support((Fraction(1, 2), Fraction(3)))
    answer = decode(Numbers(torch.tensor([[0.6, 0.4]]), [support]), ENCODING, 0)
    assert (answer.texts, answer.value) == (("0.5",), Fraction(1, 2))
    assert answer.probability == pytest.approx(0.6)


def test_padding_is_no_number() -> None:
    supports = [Support((Fraction(3),)), Support((Fraction(1), Fraction(2)))]
    found = Numbers(torch.tensor([[0.1, 0.9], [0.5, 0.5]]), supports)
    assert str(decode(found, ENCODING, 0)) == "3"


@pytest.mark.parametrize(
    "result",
    [Numbers(torch.zeros(2, 0), [Support(()), Support(())]), Dates(torch.zeros(2, 0))],
    ids=["no years", "no dates"],
)
def test_nothing_to_choose_from(result: Result) -> None:
    answer = decode(result, ENCODING, 1)
    assert (answer.texts, answer.probability) == ((), 0.0)


def test_date() -> None:
    answer = decode(Dates(torch.tensor([[0.2, 0.8], [0.0, 0.0]])), ENCODING, 0)
    assert answer.texts == ("3 June",)


@pytest.mark.parametrize(
    ("date", "text"),
    [
        (Date(1453, 5, 3), "3 May 1453"),
        (Date(1453, 5), "May 1453"),
        (Date(79), "79"),
        (Date(-44, 3), "March 44 BC"),
        (Date(month=6, day=3), "3 June"),
    ],
)
def test_dates_as_drop_writes_them(date: Date, text: str) -> None:
    assert str(date) == text


def test_span_of_the_passage() -> None:
    answer = decode(span(QUESTION_WIDTH + 3, QUESTION_WIDTH + 4), ENCODING, 0)
    assert answer.texts == ("May 1453",)
    assert answer.places == (("passage", 11, 19),)
    assert answer.probability == pytest.approx(0.81)


def test_span_of_the_question() -> None:
    answer = decode(span(2, 2), ENCODING, 0)
    assert answer.texts == ("Ada",)
    assert answer.places == (("question", 7, 10),)


def test_a_span_never_ends_before_it_begins_nor_crosses_texts() -> None:
    answer = decode(span(QUESTION_WIDTH + 4, QUESTION_WIDTH + 1), ENCODING, 0)
    (_, start, end) = answer.places[0]
    assert start < end
    crossing = decode(span(2, QUESTION_WIDTH + 1), ENCODING, 0)
    assert len(crossing.texts) == 1 and crossing.probability < 0.1


def test_a_span_is_not_endless() -> None:
    words = " ".join(["word"] * 90)
    encoding = encode([("Who?", words)])
    ends = torch.zeros(2, 1, 92)
    ends[0, 0, 2], ends[1, 0, 91] = 5.0, 5.0
    start, end = torch.log_softmax(ends, -1)
    answer = decode(Span(start, end), encoding, 0)
    assert len(answer.texts[0].split()) <= MAX_SPAN_TOKENS


def test_torn_between_two_phrases_one_is_told_with_its_own_probability() -> None:
    encoding = encode([("Who?", "Ada and then Ben")])
    ends = torch.full((1, 2 + 4), -20.0)
    ends[0, [2, 5]] = torch.tensor([0.5, 0.5]).log()  # begins and ends with Ada or with Ben
    answer = decode(Span(ends, ends), encoding, 0)
    assert answer.texts[0] in ("Ada", "Ben")
    assert answer.probability == pytest.approx(0.25)


def phrases(
    passage: str, chances: dict[tuple[int, int], float], question: str = "Ada?"
) -> Prediction:
    """What is told of phrases, given by first and last piece with their chances.

    Those of the passage are counted from 0, those of the question up to -1, its last.
    """
    encoding = encode([(question, passage)])
    asked, read = len(encoding.questions[0]), len(encoding.inputs[0].tokens)
    weights = torch.full((1, asked + read, MAX_SPAN_TOKENS), -torch.inf)
    for (first, last), chance in chances.items():
        weights[0, asked + first, last - first] = log(chance)
    ends = torch.zeros(weights.shape[:2])
    return decode(Span(ends, ends, weights), encoding, 0)


def test_the_places_of_a_phrase_add_up() -> None:
    answer = phrases("Ben met Ada and ben left", {(0, 0): 0.3, (2, 2): 0.4, (4, 4): 0.25})
    assert answer.texts == ("Ben",)
    assert answer.probability == pytest.approx(0.55)
    assert answer.places == (("passage", 0, 3), ("passage", 16, 19))


def test_a_phrase_is_told_as_the_passage_writes_it() -> None:
    answer = phrases(
        "Rey's house burned; so did Ada's.",
        {(-5, -2): 0.5, (0, 3): 0.1, (7, 9): 0.4},  # the question's "rey 's house"
        "Which burned, rey 's house?",
    )
    assert answer.texts == ("Rey's house",)
    assert answer.probability == pytest.approx(0.6)
    assert answer.places == (("question", 14, 26), ("passage", 0, 11))


def test_marks_around_a_phrase_of_the_passage_are_not_told_for_the_question() -> None:
    answer = phrases("9 % Rey.", {(-2, -2): 0.5, (1, 2): 0.3, (0, 0): 0.2}, "Was it rey?")
    assert answer.texts == ("rey",)
    assert answer.probability == pytest.approx(0.8)


def test_a_phrase_of_the_question_alone_is_told_as_it_stands() -> None:
    answer = phrases("It burned.", {(-2, -2): 0.6, (0, 0): 0.4}, "Was it rey?")
    assert answer.texts == ("rey",)


def test_a_phrase_that_holds_another_is_another() -> None:
    answer = phrases("Ben Hall met Ada", {(0, 0): 0.3, (0, 1): 0.3, (3, 3): 0.4})
    assert answer.texts == ("Ada",)


def test_ends_apart_tell_one_place() -> None:
    encoding = encode([("Who?", "Ben met Ada and Ben left")])
    ends = torch.full((1, 2 + 6), -20.0)
    ends[0, [2, 4, 6]] = torch.tensor([0.3, 0.4, 0.3]).log()
    assert decode(Span(ends, ends), encoding, 0).texts == ("Ada",)


def test_spans() -> None:
    odds = torch.full((2, PASSAGE_WIDTH), -2.0)
    odds[0, [0, 3, 4, 6]] = torch.tensor([1.0, 3.0, 2.0, 0.5])
    answer = decode(Spans(odds), ENCODING, 0)
    assert answer.texts == ("Ada", "May 1453", "Ben")
    # All ten pieces rightly in or out, shared out among the four that are in.
    sure = [1 / (1 + exp(-odd)) for odd in (1.0, 3.0, 2.0, 0.5, *[2.0] * 6)]
    assert answer.probability == pytest.approx(prod(sure) ** (1 / 4))
    assert str(answer) == "Ada, May 1453, Ben"


@pytest.mark.parametrize(
    ("passage", "inside", "texts"),
    [
        # A run of pieces for each word or part of one; what lies between was left out.
        ("a 40-yard kick, a 20-yard one", ["40", "yard", "20-yard"], ("40-yard", "20-yard")),
        ("Pat O'Brien and Lee", ["Pat O", "Brien", "Lee"], ("Pat O'Brien", "Lee")),
        ("Ada, Ben and Eve", ["Ada", ",", "Eve"], ("Ada,", "Eve")),
        ("Ada, Ben and Eve", [",", "Eve"], ("Eve",)),
        ("Ada, Ben and Eve", [","], (",",)),
        ("Ada, Ben", ["Ada", "Ben"], ("Ada", "Ben")),
    ],
)
def test_what_stands_together_is_one_phrase(
    passage: str, inside: list[str], texts: tuple[str, ...]
) -> None:
    encoding = encode([("Who?", passage)])
    pieces = encoding.inputs[0].tokens
    odds = torch.full((1, len(pieces)), -1.0)
    for words in inside:
        first, last = pieces.locate(place := passage.index(words), place + len(words))
        odds[0, first : last + 1] = 1.0
    answer = decode(Spans(odds), encoding, 0)
    assert answer.texts == texts
    assert tuple(passage[start:end] for _, start, end in answer.places) == texts


@pytest.mark.parametrize("level", [-0.5, -60.0, -1e4])
def test_of_unlikely_spans_the_likeliest(level: float) -> None:
    odds = torch.full((2, PASSAGE_WIDTH), 2 * level)
    odds[0, 6] = level
    assert decode(Spans(odds), ENCODING, 0).texts == ("Ben",)


def test_pieces_of_a_word_become_the_word() -> None:
    pieces = TokenizedText("understanding it", (1, 2, 3, 4), ((0, 5), (5, 10), (10, 13), (14, 16)))
    assert word_span(pieces, 1, 1) == (0, 13)
    assert word_span(pieces, 3, 3) == (14, 16)
    assert word_span(cut("24-yard run"), 0, 0) == (0, 2)
    accented = "Hue\u0302\u0301 fell"  # the accents are characters of their own, and of no piece
    assert word_span(TokenizedText(accented, (1, 2), ((0, 3), (6, 10))), 0, 0) == (0, 5)


def test_an_attention_is_no_answer() -> None:
    with pytest.raises(AssertionError):
        decode(Attention(torch.zeros(1, 1), torch.zeros(1, 1)), ENCODING, 0)


@torch.no_grad()
def test_attempts_come_best_first() -> None:
    network = tiny_network()
    texts = (QUESTION, "Who kicked?")
    pieces = [TokenizedText.cut(text, network.tokenizer) for text in texts]
    passage = PassageInput.read(PASSAGE, network.tokenizer)
    encoding = network.encoder(pieces, [passage] * 2)
    written = network.programmer.write(encoding)
    for row, found in enumerate(answer_candidates(network, encoding)):
        assert [one.scored.program for one in found] == [one.program for one in written[row]]
        chances = [one.program_probability for one in found]
        assert chances == sorted(chances, reverse=True) and 0 < sum(chances) <= 1
        for one in found:
            assert one.execution.program == one.scored.program
            assert one.execution.rows[one.row] == row
            assert one.answer == decode(one.execution.step.output, one.execution.encoding, one.row)
