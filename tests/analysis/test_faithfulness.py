"""Faithfulness by hand: weights on words, words taken away, and the areas between curves."""

from collections.abc import Sequence
from fractions import Fraction
from math import log
from random import Random

import pytest
import torch
from steps_by_hand import (
    ENCODING,
    FIRST,
    INPUT,
    LATER,
    PASSAGE,
    WORDS,
    dates,
    find,
    number_pick,
    numbers,
    result,
    row,
    span,
    step,
    words_pick,
)

from handmade import encode
from peers.small_peers import small_peer
from tiny import PASSAGE as TINY
from tiny import QUESTION as ASKED
from tiny import tiny_network, tiny_tokenizer
from workings.analysis.alignment import follow
from workings.analysis.deletion import Curves, Gone, draw, kept_probability, probability
from workings.analysis.faithfulness import ANSWER, StepMeasurement, measure, on_evidence, summarise
from workings.analysis.passage_weights import pointed
from workings.analysis.word_removal import blank_of, heaviest, others_like, without
from workings.data.records import GoldAnswer as Gold
from workings.data.records import Passage, Question
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.decoding import GoldAnswer, decode
from workings.inference.ranking import Candidate
from workings.network.interpreter import Step
from workings.network.programmer import ScoredProgram
from workings.ops.results import Numbers, Result, Span, Spans, TokenProbabilities
from workings.program import Program
from workings.supervision.supervise import StepTarget


def word(text: str) -> tuple[int, int]:
    return PASSAGE.index(text), PASSAGE.index(text) + len(text)


def weights_of(one: Step) -> dict[str, float]:
    found = pointed(one, ENCODING)
    assert found is not None
    return {WORDS[i]: w for i, w in enumerate(found[0].tolist()) if w > 1e-6}


COUNTED = TokenProbabilities(row(Ada=0.9, Ben=0.6))
SURE = Spans(torch.where(row(Ben=1.0) > 0, 0.0, -50.0))


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (find(Ada=0.7, Ben=0.2), {"Ada": 0.7, "Ben": 0.2}),
        (step("find-num", numbers(n12=0.7, n30=0.1, n100=0.2), find()), {"12": 0.7, "30": 0.1}),
        (step("find-date", dates(0.3, 0.7), find()), {"1990": 0.3, "1995": 0.7}),
        (step("count", result(2), find(), counted=COUNTED), {"Ada": 0.6, "Ben": 0.4}),
        (
            step("time-diff", result(5), find(), first=dates(0, 1), second=dates(0.4, 0.6)),
            {"1990": 0.2, "1995": 0.8},
        ),
        (step("span", span("Cleo"), find()), {"Cleo": 1.0}),
        (step("spans", SURE, find()), {"Ben": 1.0}),
    ],
)
def test_where_a_step_points(one: Step, expected: dict[str, float]) -> None:
    assert weights_of(one) == pytest.approx(expected)


def test_sums_point_nowhere() -> None:
    parts = [step("find-num", numbers(n12=1.0), find()) for _ in range(2)]
    assert pointed(step("add", result(24), *parts), ENCODING) is None


def test_the_mentions_of_a_value_share_its_weight() -> None:
    twice = encode([("Who?", "A 12 and 12 or 3.")], dtype=torch.float32)
    found = torch.zeros(1, len(twice.inputs[0].operands))
    found[0, twice.inputs[0].operands.places[Fraction(12)]] = 0.8
    one = step("find-num", Numbers(found, [twice.inputs[0].operands]), find())
    laid = pointed(one, twice)
    assert laid is not None
    assert laid[0].tolist() == pytest.approx([0, 0.4, 0, 0.4, 0, 0, 0])


@pytest.mark.parametrize(
    ("root", "picks", "expected"),
    [
        # the words of 30, of 19 pieces one
        (
            step("find-num", numbers(n30=0.7), find(n30=0.2, Ben=0.5)),
            [number_pick(0, 30)],
            [0.2, 0.7],
        ),
        (
            step("count", result(1), find(Ben=0.5), counted=COUNTED),
            [number_pick(0, 12)],
            [None, None],
        ),
        (
            step(
                "time-diff",
                result(5),
                find(n1995=0.3, n1990=0.3),
                first=dates(0, 1),
                second=dates(1, 0),
            ),
            [number_pick(0, 12), StepTarget(1, dates=(LATER, FIRST))],
            [0.6, 1.0],
        ),
        (step("span", span("Ben"), find(Ben=0.4, execution=0.4)), [words_pick(1, "Ben")], [0.4, 1.0]),
    ],
)
def test_weight_on_the_words_that_matter(
    root: Step, picks: list[StepTarget], expected: list[float | None]
) -> None:
    turns = follow(root, {pick.step: pick for pick in picks})
    found = []
    for turn in turns:
        laid = pointed(turn.step, ENCODING)
        assert laid is not None
        found.append(on_evidence(turn, laid[0], INPUT))
    assert [one for one, _ in found] == [e if e is None else pytest.approx(e) for e in expected]
    if len(picks) == 1 and found[0][1] is not None:
        assert found[0][1] == pytest.approx(1 / len(WORDS))


def test_words_go_and_take_their_values_with_them() -> None:
    left = without(INPUT, {word("30"), word("1990")}, 99)
    gone = [place for place, piece in enumerate(left.tokens.ids) if piece == 99]
    assert [WORDS[place] for place in gone] == ["1990", "30"]
    assert left.tokens.text == PASSAGE
    assert left.values.distinct_numbers == (12, 1995)
    assert left.dates == (LATER,)
    assert without(INPUT, (), 99) is INPUT


def test_heaviest_words() -> None:
    laid = row(Ada=0.1, Ben=0.5, rested=0.3, n12=0.0005)[0].tolist()
    assert heaviest(INPUT.tokens, laid) == [word("Ben"), word("rested"), word("Ada")]


def test_a_word_has_the_weight_of_its_pieces() -> None:
    pieces = TokenizedText.cut(TINY, tiny_tokenizer(TINY))
    start = TINY.index("Okafor")
    first, last = pieces.locate(start, start + 6)
    weights = [0.0] * len(pieces)
    weights[0], weights[first], weights[last] = 0.4, 0.3, 0.3
    assert heaviest(pieces, weights)[0] == (start, start + 6)


def test_random_words_are_of_the_same_sort() -> None:
    for seed in range(20):
        chosen = [word("30"), word("1990"), word("Ben")]
        number, date, other = others_like(chosen, INPUT, Random(seed))
        assert number == word("12")
        assert date == word("1995")
        assert PASSAGE[slice(*other)].isalpha() or PASSAGE[slice(*other)] == "."
        assert not {number, date, other} & set(chosen)
    first = others_like([word("30"), word("12")], INPUT, Random(0))
    assert len(set(first)) == 2  # no third number is left: any word will do


def test_areas_by_hand() -> None:
    """The answer hangs on the first of a step's own words alone."""
    own, random = [(0, 1), (1, 2), (2, 3)], [(7, 8), (8, 9), (9, 10)]
    asked: list[int] = []

    def kept(gone: Sequence[Gone]) -> list[float]:
        asked.append(len(gone))
        return [0.0 if (0, 1) in words else 1.0 for words in gone]

    found = draw(own, random, kept)
    assert found.deletion == ([0, 0, 0, 0], [1, 1, 1, 1])
    assert found.insertion == ([1, 1, 1, 1], [0, 0, 0, 0])
    assert (found.deletion_area, found.insertion_area) == (1, 1)
    assert asked == [10]  # each set of words is tried once


def test_areas_of_sloping_curves() -> None:
    curves = Curves(([0.6, 0.4, 0.2, 0.0], [1.0, 1.0, 0.8, 0.4]), ([0.5] * 4, [0.5] * 4))
    assert curves.deletion_area == pytest.approx((0.4 + 0.6 + 0.6 + 0.4) / 4)
    assert curves.insertion_area == 0


def torn() -> Span:
    """One word at 0.4, or three from it on, or the last two of these: its ends hang together."""
    tokens = 3 + len(WORDS)
    phrases = torch.full((1, tokens, 3), -50.0)
    phrases[0, 3, 0], phrases[0, 3, 2], phrases[0, 4, 1] = log(0.4), log(0.3), log(0.3)
    start, end = torch.full((1, tokens), -50.0), torch.full((1, tokens), -50.0)
    start[0, 3], start[0, 4] = log(0.7), log(0.3)
    end[0, 3], end[0, 5] = log(0.4), log(0.6)
    return Span(start, end, phrases)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (numbers(n12=0.7, n30=0.3), 0.7),
        (dates(0.2, 0.8), 0.8),
        (span("Ben"), 1.0),
        (torn(), 0.4),
        (Spans(torch.where(row(Ben=1.0) > 0, log(4), -log(9))), 0.8 * 0.9**18),  # 19 words
    ],
)
def test_the_probability_of_an_answer_is_its_own(given: Result, expected: float) -> None:
    answer = decode(given, ENCODING, 0)
    assert probability(given, ENCODING, 0, answer) == pytest.approx(expected)
    assert answer.probability == pytest.approx(expected)


def test_what_is_gone_has_no_probability() -> None:
    assert probability(numbers(n12=1.0), ENCODING, 0, GoldAnswer(("7",), 1.0, Fraction(7))) == 0
    assert probability(dates(1, 0), ENCODING, 0, GoldAnswer(("1066",), 1.0)) == 0


def test_means_by_module() -> None:
    low, high = (
        Curves(([0.0] * 4, [0.5] * 4), ([0.0] * 4,) * 2),
        Curves(([0.5] * 4, [0.5] * 4), ([1.0] * 4, [0.0] * 4)),
    )
    steps = [
        StepMeasurement(ANSWER),
        StepMeasurement("find", 0.2, 0.1, low),
        StepMeasurement("find", 0.6, 0.3, high),
        StepMeasurement("find"),
        StepMeasurement("add"),
    ]
    add, found, answer = summarise(steps)
    assert [add.module, found.module, answer.module] == ["add", "find", ANSWER]
    assert (add.steps, add.evidence, add.curves) == (1, None, None)
    assert (found.steps, found.known) == (3, 2)
    assert (found.evidence, found.even) == pytest.approx((0.4, 0.2))
    tree = found.to_json()
    assert (tree["deletion"], tree["insertion"]) == pytest.approx((0.25, 0.5))


ASKED_OF_TINY = [
    Passage(
        "p", TINY, (Question("q", ASKED, (Gold(number="23"),), "add-sub"), Question("", " ", ()))
    )
]


def test_every_step_of_a_network_is_measured() -> None:
    (steps,) = measure(tiny_network(), ASKED_OF_TINY)
    assert steps[-1].module == ANSWER
    assert len(steps) > 1
    for one in steps:
        assert one.curves is not None or one.module in ("add", "sub")
        if one.curves:
            pairs = (*one.curves.deletion, *one.curves.insertion)
            assert all(0 <= share <= 1 for side in pairs for share in side)
    assert list(measure(tiny_network(), ASKED_OF_TINY)) == [steps]  # the same every time


@pytest.mark.parametrize(
    "program",
    [
        "time-diff(find)",
        "span(compare-date-lt(find, find))",
        "spans(find)",
        "count(find)",
        "find-date(find)",
        "sub(find-num(find-max-num(find)), find-num(find))",
    ],
)
def test_a_passage_may_lose_all_its_values(program: str) -> None:
    network = tiny_network()
    read = PassageInput.read(TINY, network.tokenizer)
    with torch.inference_mode():
        encoding = network.encoder([TokenizedText.cut(ASKED, network.tokenizer)], [read])
        parsed = Program.parse(program)
        score, asked = network.programmer.score(encoding, [parsed])
        looked = torch.stack(asked)[:, 0]
        (execution,) = network.run(encoding, [(0, parsed)], [looked])
    answer = decode(execution.step.output, execution.encoding, 0)
    tried = Candidate(ScoredProgram(0, parsed, score[0], looked), ran, 0, answer)
    words = frozenset((n.start, n.end) for n in (*read.values.numbers, *read.values.dates))
    none, everything = kept_probability(network, tried)([frozenset(), words])
    assert none == pytest.approx(1)
    assert 0 <= everything <= 1


def test_peers_show_no_steps() -> None:
    for steps in measure(small_peer("naqanet"), ASKED_OF_TINY):
        assert [one.module for one in steps] == [ANSWER]
        assert steps[0].evidence is None


def test_a_blank_is_the_mask_where_there_is_one() -> None:
    tokenizer = tiny_tokenizer(TINY)
    assert blank_of(tokenizer) == tokenizer.token_to_id("[UNK]")
    tokenizer.add_special_tokens(["[MASK]"])
    assert blank_of(tokenizer) == tokenizer.token_to_id("[MASK]")
