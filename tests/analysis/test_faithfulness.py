"""Faithfulness worked out by hand: passage weights, removed words, and areas between curves."""

from collections.abc import Sequence
from fractions import Fraction
from math import log
from random import Random

import pytest
import torch
from small_peers import small_peer
from steps_by_hand import (
    EARLIER,
    ENCODING,
    INPUT,
    LATER,
    PASSAGE,
    WORDS,
    computed,
    dates,
    find,
    number_target,
    numbers,
    row,
    span,
    step,
    word_target,
)

from handmade import encode
from tiny import PASSAGE as TINY_PASSAGE
from tiny import QUESTION as TINY_QUESTION
from tiny import tiny_network, tiny_tokenizer
from workings.analysis.alignment import align_steps
from workings.analysis.deletion import (
    Curves,
    RemovedWords,
    measure_curves,
    prediction_probability,
    probability_retention,
)
from workings.analysis.faithfulness import (
    ANSWER,
    StepMeasurement,
    evidence_weight,
    measure,
    summarise,
)
from workings.analysis.passage_weights import passage_weights
from workings.analysis.word_removal import (
    mask_token_id,
    random_words_like,
    remove_words,
    top_words,
)
from workings.data.records import GoldAnswer, Passage, Question
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.decoding import Prediction, decode
from workings.inference.ranking import Candidate
from workings.network.interpreter import Step
from workings.network.programmer import ScoredProgram
from workings.ops.results import Numbers, Result, Span, Spans, StepDetails, TokenProbabilities
from workings.program import Program
from workings.supervision.derivation import StepTarget


def word(text: str) -> tuple[int, int]:
    return PASSAGE.index(text), PASSAGE.index(text) + len(text)


COUNTED = StepDetails(counted=TokenProbabilities(row(Ada=0.9, Ben=0.6)))
OPERANDS = StepDetails(operands=(dates(0, 1), dates(0.4, 0.6)))
CERTAIN = Spans(torch.where(row(Ben=1.0) > 0, 0.0, -50.0))


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        (find(Ada=0.7, Ben=0.2), {"Ada": 0.7, "Ben": 0.2}),
        (step("find-num", numbers(n12=0.7, n30=0.1, n100=0.2), find()), {"12": 0.7, "30": 0.1}),
        (step("find-date", dates(0.3, 0.7), find()), {"1990": 0.3, "1995": 0.7}),
        (step("count", computed(2), find(), details=COUNTED), {"Ada": 0.6, "Ben": 0.4}),
        (step("time-diff", computed(5), find(), details=OPERANDS), {"1990": 0.2, "1995": 0.8}),
        (step("span", span("Cleo"), find()), {"Cleo": 1.0}),
        (step("spans", CERTAIN, find()), {"Ben": 1.0}),
    ],
)
def test_passage_weights_of_each_result(measured: Step, expected: dict[str, float]) -> None:
    weights = passage_weights(measured, ENCODING)
    assert weights is not None
    by_word = {WORDS[i]: weight for i, weight in enumerate(weights[0].tolist()) if weight > 1e-6}
    assert by_word == pytest.approx(expected)


def test_arithmetic_has_no_passage_weights() -> None:
    parts = [step("find-num", numbers(n12=1.0), find()) for _ in range(2)]
    assert passage_weights(step("add", computed(24), *parts), ENCODING) is None


def test_mentions_of_a_value_share_its_weight() -> None:
    twice = encode([("Who?", "A 12 and 12 or 3.")], dtype=torch.float32)
    operands = twice.inputs[0].operands
    weights = torch.zeros(1, len(operands))
    weights[0, operands.positions[Fraction(12)]] = 0.8
    by_token = passage_weights(step("find-num", Numbers(weights, [operands]), find()), twice)
    assert by_token is not None
    assert by_token[0].tolist() == pytest.approx([0, 0.4, 0, 0.4, 0, 0, 0])


TWO_DATES = StepDetails(operands=(dates(0, 1), dates(1, 0)))


@pytest.mark.parametrize(
    ("root", "targets", "expected"),
    [
        (
            step("find-num", numbers(n30=0.7), find(n30=0.2, Ben=0.5)),
            [number_target(0, 30)],
            [0.2, 0.7],
        ),
        (
            step("count", computed(1), find(Ben=0.5), details=COUNTED),
            [number_target(0, 12)],
            [None, None],
        ),
        (
            step("time-diff", computed(5), find(n1995=0.3, n1990=0.3), details=TWO_DATES),
            [number_target(0, 12), StepTarget(1, dates=(LATER, EARLIER))],
            [0.6, 1.0],
        ),
        (step("span", span("Ben"), find(Ben=0.4, ran=0.4)), [word_target(1, "Ben")], [0.4, 1.0]),
    ],
)
def test_evidence_weight(
    root: Step, targets: list[StepTarget], expected: list[float | None]
) -> None:
    measured = []
    for aligned in align_steps(root, {target.step: target for target in targets}):
        weights = passage_weights(aligned.step, ENCODING)
        assert weights is not None
        measured.append(evidence_weight(aligned, weights[0], INPUT))
    assert [own for own, _ in measured] == [e if e is None else pytest.approx(e) for e in expected]
    if len(targets) == 1 and measured[0][1] is not None:  # one word of the passage
        assert measured[0][1] == pytest.approx(1 / len(WORDS))


def test_removed_words_are_masked_and_their_values_dropped() -> None:
    reduced = remove_words(INPUT, {word("30"), word("1990")}, 99)
    masked = [index for index, token in enumerate(reduced.tokens.ids) if token == 99]
    assert [WORDS[index] for index in masked] == ["1990", "30"]
    assert reduced.tokens.text == PASSAGE
    assert reduced.values.distinct_numbers == (Fraction(12), Fraction(1995))
    assert reduced.dates == (LATER,)
    assert remove_words(INPUT, (), 99) is INPUT


def test_top_words_are_sorted_by_weight() -> None:
    weights = row(Ada=0.1, Ben=0.5, rested=0.3, n12=0.0005)[0].tolist()
    assert top_words(INPUT.tokens, weights) == [word("Ben"), word("rested"), word("Ada")]


def test_weight_of_a_word_is_the_sum_over_its_tokens() -> None:
    tokens = TokenizedText.tokenize(TINY_PASSAGE, tiny_tokenizer(TINY_PASSAGE))
    start = TINY_PASSAGE.index("Okafor")
    first, last = tokens.locate(start, start + 6)
    weights = [0.0] * len(tokens)
    weights[0], weights[first], weights[last] = 0.4, 0.3, 0.3
    assert top_words(tokens, weights)[0] == (start, start + 6)


def test_random_words_have_the_same_type() -> None:
    for seed in range(20):
        chosen = [word("30"), word("1990"), word("Ben")]
        number, date, other = random_words_like(chosen, INPUT, Random(seed))
        assert number == word("12")
        assert date == word("1995")
        assert PASSAGE[slice(*other)].isalpha() or PASSAGE[slice(*other)] == "."
        assert not {number, date, other} & set(chosen)
    drawn = random_words_like([word("30"), word("12")], INPUT, Random(0))
    assert len(set(drawn)) == 2  # there is no third number, so words of any type are drawn


def test_areas_of_an_answer_that_depends_on_one_word() -> None:
    own, random = [(0, 1), (1, 2), (2, 3)], [(7, 8), (8, 9), (9, 10)]
    calls: list[int] = []

    def retention(removed: Sequence[RemovedWords]) -> list[float]:
        calls.append(len(removed))
        return [0.0 if (0, 1) in words else 1.0 for words in removed]

    curves = measure_curves(own, random, retention)
    assert curves.deletion == ([0, 0, 0, 0], [1, 1, 1, 1])
    assert curves.insertion == ([1, 1, 1, 1], [0, 0, 0, 0])
    assert (curves.deletion_area, curves.insertion_area) == (1, 1)
    assert calls == [10]  # each distinct set of words is measured once


def test_areas_of_sloping_curves() -> None:
    curves = Curves(([0.6, 0.4, 0.2, 0.0], [1.0, 1.0, 0.8, 0.4]), ([0.5] * 4, [0.5] * 4))
    assert curves.deletion_area == pytest.approx((0.4 + 0.6 + 0.6 + 0.4) / 4)
    assert curves.insertion_area == 0


def joint_span() -> Span:
    """A span whose ends depend on each other: one word, three from it on, or the last two."""
    tokens = 3 + len(WORDS)
    phrases = torch.full((1, tokens, 3), -50.0)
    phrases[0, 3, 0], phrases[0, 3, 2], phrases[0, 4, 1] = log(0.4), log(0.3), log(0.3)
    start, end = torch.full((1, tokens), -50.0), torch.full((1, tokens), -50.0)
    start[0, 3], start[0, 4] = log(0.7), log(0.3)
    end[0, 3], end[0, 5] = log(0.4), log(0.6)
    return Span(start, end, phrases)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (numbers(n12=0.7, n30=0.3), 0.7),
        (dates(0.2, 0.8), 0.8),
        (span("Ben"), 1.0),
        (joint_span(), 0.4),
        (Spans(torch.where(row(Ben=1.0) > 0, log(4), -log(9))), 0.8 * 0.9**18),  # 19 words
    ],
)
def test_probability_of_the_decoded_answer(result: Result, expected: float) -> None:
    answer = decode(result, ENCODING, 0)
    assert prediction_probability(result, ENCODING, 0, answer) == pytest.approx(expected)
    assert answer.probability == pytest.approx(expected)


def test_impossible_answer_has_probability_zero() -> None:
    seven, date = Prediction(("7",), 1.0, Fraction(7)), Prediction(("1066",), 1.0)
    assert prediction_probability(numbers(n12=1.0), ENCODING, 0, seven) == 0
    assert prediction_probability(dates(1, 0), ENCODING, 0, date) == 0


def test_summary_averages_by_module() -> None:
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
    assert (found.steps, found.steps_with_evidence) == (3, 2)
    assert (found.evidence, found.even) == pytest.approx((0.4, 0.2))
    tree = found.to_json()
    assert (tree["deletion"], tree["insertion"]) == pytest.approx((0.25, 0.5))
    assert set(tree) == {
        "module", "steps", "known", "evidence", "even", "curves", "deletion", "insertion",
    }  # fmt: skip
    assert tree["curves"] == {
        "deletion": ([0.25] * 4, [0.5] * 4),
        "insertion": ([0.5] * 4, [0.0] * 4),
    }
    assert add.to_json() == {
        "module": "add", "steps": 1, "known": 0, "evidence": None, "even": None, "curves": None,
    }  # fmt: skip


QUESTIONS = (
    Question("q", TINY_QUESTION, (GoldAnswer(number="23"),), "add-sub"),
    Question("", " ", ()),
)
PASSAGES = [Passage("p", TINY_PASSAGE, QUESTIONS)]


def test_every_step_of_a_network_is_measured() -> None:
    (steps,) = measure(tiny_network(), PASSAGES)
    assert steps[-1].module == ANSWER
    assert len(steps) > 1
    for measured in steps:
        assert measured.curves is not None or measured.module in ("add", "sub")
        if measured.curves:
            pairs = (*measured.curves.deletion, *measured.curves.insertion)
            assert all(0 <= share <= 1 for side in pairs for share in side)
    assert list(measure(tiny_network(), PASSAGES)) == [steps]  # the random words are the same


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
def test_passage_may_lose_all_its_values(program: str) -> None:
    network, parsed = tiny_network(), Program.parse(program)
    passage = PassageInput.from_text(TINY_PASSAGE, network.tokenizer)
    with torch.inference_mode():
        question = TokenizedText.tokenize(TINY_QUESTION, network.tokenizer)
        encoding = network.encoder([question], [passage])
        score, attention = network.programmer.score(encoding, [parsed])
        question_attention = torch.stack(attention)[:, 0]
        (execution,) = network.run(encoding, [(0, parsed)], [question_attention])
    answer = decode(execution.step.output, execution.encoding, 0)
    scored = ScoredProgram(0, parsed, score[0], question_attention)
    retention = probability_retention(network, Candidate(scored, execution, 0, answer))
    number_words = [(number.start, number.end) for number in passage.values.numbers]
    words = frozenset(number_words + [(date.start, date.end) for date in passage.values.dates])
    nothing_removed, all_removed = retention([frozenset(), words])
    assert nothing_removed == pytest.approx(1)
    assert 0 <= all_removed <= 1


def test_peers_have_only_an_answer() -> None:
    for steps in measure(small_peer("naqanet"), PASSAGES):
        assert [measured.module for measured in steps] == [ANSWER]
        assert steps[0].evidence is None


def test_mask_token_is_preferred_to_the_unknown_token() -> None:
    tokenizer = tiny_tokenizer(TINY_PASSAGE)
    assert mask_token_id(tokenizer) == tokenizer.token_to_id("[UNK]")
    tokenizer.add_special_tokens(["[MASK]"])
    assert mask_token_id(tokenizer) == tokenizer.token_to_id("[MASK]")
