"""Tests of the candidates of a question, their order and the answer policy."""

from dataclasses import replace
from math import inf, nan
from typing import Any

import pytest
import torch

from tiny import PASSAGE, QUESTION, tiny_network
from unchecked import without_type_checks
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import InputError
from workings.inference import ranking
from workings.inference.decoding import Prediction, decode
from workings.inference.ranking import (
    AnswerPolicy,
    answer_candidates,
    answer_probability,
    missing_values,
    rank,
)
from workings.network.network import Network


@torch.no_grad()
def test_programs_without_their_values_rank_last() -> None:
    tiny = tiny_network()
    names = ("find", "find-num", "find-date", "count", "span")  # of which two need values
    network = Network(tiny.recipe, tiny.encoder, tiny.tokenizer, names).eval()
    passage = PassageInput.from_text("Nobody won.", network.tokenizer)
    encoding = network.encoder([TokenizedText.tokenize(QUESTION, network.tokenizer)], [passage])
    (candidates,) = answer_candidates(network, encoding, beam=40)
    missing = [missing_values(each.scored.program, passage) is not None for each in candidates]
    assert missing == sorted(missing) and set(missing) == {False, True}


@torch.no_grad()
@pytest.mark.parametrize(
    ("rank_by", "programs", "answers"),
    [
        # The likeliest candidate is "3" (0.4 · 0.5), the likeliest answer "5" (0.3·0.6 + 0.1·0.4).
        ("answer", [0.3, 0.1, 0.4, 0.2], ["5", "5", "3", "8"]),
        ("program", [0.4, 0.3, 0.2, 0.1], ["3", "5", "8", "5"]),
    ],
)
def test_rank(rank_by: str, programs: list[float], answers: list[str]) -> None:
    network = tiny_network()
    passage = PassageInput.from_text(PASSAGE, network.tokenizer)
    encoding = network.encoder([TokenizedText.tokenize(QUESTION, network.tokenizer)], [passage])
    (predicted,) = answer_candidates(network, encoding)
    given = [(0.4, "3", 0.5), (0.3, "5", 0.6), (0.2, "8", 0.9), (0.1, "5", 0.4)]
    candidates = [
        replace(
            candidate,
            scored=replace(candidate.scored, score=torch.tensor(program_probability).log()),
            answer=Prediction((text,), probability),
        )
        for candidate, (program_probability, text, probability) in zip(
            predicted, given, strict=True
        )
    ]
    assert answer_probability(candidates) == pytest.approx([0.2, 0.22, 0.18, 0.22])
    ranked = rank(candidates, passage, rank_by)
    assert [candidate.program_probability for candidate in ranked] == pytest.approx(programs)
    assert [str(candidate.answer) for candidate in ranked] == answers


@torch.no_grad()
def test_candidates_of_a_batch() -> None:
    network = tiny_network()
    texts = (QUESTION, "Who kicked?")
    questions = [TokenizedText.tokenize(text, network.tokenizer) for text in texts]
    passage = PassageInput.from_text(PASSAGE, network.tokenizer)
    encoding = network.encoder(questions, [passage] * 2)
    written = network.programmer.write(encoding)
    for row, candidates in enumerate(answer_candidates(network, encoding)):
        assert [each.scored.program for each in candidates] == [
            each.program for each in written[row]
        ]
        probabilities = [candidate.program_probability for candidate in candidates]
        assert probabilities == sorted(probabilities, reverse=True)
        assert 0 < sum(probabilities) <= 1
        for candidate in candidates:
            execution = candidate.execution
            assert execution.program == candidate.scored.program
            assert execution.rows[candidate.row] == row
            expected = decode(execution.step.output, execution.encoding, candidate.row)
            assert candidate.answer == expected


def test_confidence_is_the_probability_to_the_power_of_1_over_temperature() -> None:
    assert AnswerPolicy(temperature=2.0).confidence(0.81) == pytest.approx(0.9)
    assert AnswerPolicy(temperature=0.5).confidence(0.9) == pytest.approx(0.81)
    assert AnswerPolicy().confidence(0.3) == pytest.approx(0.3)


@pytest.mark.parametrize(
    "values",
    [{"top_k": value} for value in (0, -1, 1.5, True, "3", None)]
    + [{"threshold": value} for value in (2, -0.1, nan, inf, "0.5", None)]
    + [{"temperature": value} for value in (0, -1, nan, inf, "1", None)],
    ids=str,
)
def test_rejects_values_out_of_range(values: dict[str, Any]) -> None:
    (name,) = values
    with pytest.raises(InputError, match=name) as caught:
        without_type_checks(ranking).AnswerPolicy(**values)
    assert caught.value.hint.startswith("Give")
