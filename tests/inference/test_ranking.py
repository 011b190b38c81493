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
from workings.inference.explaining import explain
from workings.inference.ranking import (
    AnswerPolicy,
    answer_candidates,
    answer_probability,
    missing_values,
    rank,
    unknown_probability,
    with_unknown,
)
from workings.network.network import Network
from workings.ops.results import Nothing
from workings.program import Program
from workings.settings import ProgrammerSettings


@torch.no_grad()
def test_programs_without_their_values_rank_last() -> None:
    tiny = tiny_network()
    names = ("find", "find-num", "find-date", "count", "span")  # of which two need values
    network = Network(tiny.recipe, tiny.encoder, tiny.tokenizer, names).eval()
    passage = PassageInput.from_text("Nobody won.", network.tokenizer)
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    encoding = network.encoder([question], [passage])
    (candidates,) = answer_candidates(network, encoding, beam=40)
    programs = [each.scored.program for each in candidates]
    missing = [missing_values(program, question, passage) is not None for program in programs]
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
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    encoding = network.encoder([question], [passage])
    (written,) = answer_candidates(network, encoding, beam=40)
    predicted = [
        each for each in written if missing_values(each.scored.program, question, passage) is None
    ]
    given = [(0.4, "3", 0.5), (0.3, "5", 0.6), (0.2, "8", 0.9), (0.1, "5", 0.4)]
    candidates = [
        replace(
            candidate,
            scored=replace(candidate.scored, score=torch.tensor(program_probability).log()),
            answer=Prediction((text,), probability),
        )
        for candidate, (program_probability, text, probability) in zip(
            predicted[:4], given, strict=True
        )
    ]
    assert answer_probability(candidates) == pytest.approx([0.2, 0.22, 0.18, 0.22])
    settings = ProgrammerSettings.model_validate({"rank_by": rank_by})
    ranked = rank(candidates, question, passage, settings)
    assert [candidate.program_probability for candidate in ranked] == pytest.approx(programs)
    assert [str(candidate.answer) for candidate in ranked] == answers


@torch.no_grad()
@pytest.mark.parametrize(("threshold", "is_first"), [(0.3, True), (0.5, False)])
def test_unknown_must_be_likely(threshold: float, is_first: bool) -> None:
    network = tiny_network()
    passage = PassageInput.from_text(PASSAGE, network.tokenizer)
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    (predicted,) = answer_candidates(network, network.encoder([question], [passage]))
    unknown = next(c for c in predicted if c.scored.program.name == "unknown")
    other = next(c for c in predicted if c.answer.texts)
    candidates = [
        replace(candidate, scored=replace(candidate.scored, score=torch.tensor(share).log()))
        for candidate, share in ((unknown, 0.4), (other, 0.35))
    ]
    settings = ProgrammerSettings(unknown_threshold=threshold)
    first = rank(candidates, question, passage, settings)[0]
    assert (first.scored.program.name == "unknown") == is_first


@torch.no_grad()
def test_candidates_of_a_batch() -> None:
    network = tiny_network()
    texts = (QUESTION, "Who kicked?")
    questions = [TokenizedText.tokenize(text, network.tokenizer) for text in texts]
    passage = PassageInput.from_text(PASSAGE, network.tokenizer)
    encoding = network.encoder(questions, [passage] * 2)
    written = with_unknown(network, encoding, network.programmer.write(encoding))
    for row, candidates in enumerate(answer_candidates(network, encoding)):
        assert {each.scored.program for each in candidates} == {
            each.program for each in written[row]
        }
        probabilities = [candidate.program_probability for candidate in candidates]
        missing = [
            missing_values(candidate.scored.program, questions[row], passage) is not None
            for candidate in candidates
        ]
        answers = answer_probability(candidates)
        given = [bool(candidate.answer.texts) for candidate in candidates]
        order = [
            (lacks or not gives, -answer)
            for lacks, gives, answer in zip(missing, given, answers, strict=True)
        ]
        assert order == sorted(order)
        assert 0 < sum(probabilities) <= 1
        for candidate in candidates:
            execution = candidate.execution
            assert execution.program == candidate.scored.program
            assert execution.rows[candidate.row] == row
            expected = decode(execution.step.output, execution.encoding, candidate.row)
            assert candidate.answer == expected


@torch.no_grad()
def test_every_question_has_a_probability_of_unknown() -> None:
    network = tiny_network()
    questions = [TokenizedText.tokenize(text, network.tokenizer) for text in (QUESTION, "Who?")]
    passage = PassageInput.from_text(PASSAGE, network.tokenizer)
    encoding = network.encoder(questions, [passage] * 2)
    unknown = Program("unknown")
    written = [
        [scored for scored in row if scored.program != unknown]
        for row in network.programmer.write(encoding)
    ]
    complete = with_unknown(network, encoding, written)
    scores, attention = network.programmer.score(encoding, [unknown] * 2)
    for row, programs in enumerate(complete):
        assert programs[:-1] == written[row]
        assert (programs[-1].row, programs[-1].program) == (row, unknown)
        torch.testing.assert_close(programs[-1].score, scores[row])
        torch.testing.assert_close(programs[-1].question_attention, attention[0][row][None])
    # A beam that has the program stays as it is, and an empty beam stays empty.
    assert with_unknown(network, encoding, complete) == complete
    assert with_unknown(network, encoding, [[], []]) == [[], []]
    for row, candidates in enumerate(answer_candidates(network, encoding)):
        probability = scores[row].exp().item()
        assert unknown_probability(candidates) == pytest.approx(probability, rel=1e-4)
        (nothing,) = (c for c in candidates if isinstance(c.execution.step.output, Nothing))
        assert nothing.answer == Prediction((), 1.0)


def test_models_without_the_module_never_say_unknown() -> None:
    tiny = tiny_network()
    network = Network(tiny.recipe, tiny.encoder, tiny.tokenizer, ("find", "count")).eval()
    passage = PassageInput.from_text(PASSAGE, network.tokenizer)
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    with torch.no_grad():
        (candidates,) = answer_candidates(network, network.encoder([question], [passage]))
    assert {str(candidate.scored.program) for candidate in candidates} == {"count(find)"}
    assert unknown_probability(candidates) == 0


@pytest.mark.parametrize(
    ("program", "question", "passage", "module"),
    [
        ("count(filter-num-gt(find, question-num))", "How many?", "It had 7 men.", "question-num"),
        ("count(filter-num-gt(find, question-num))", "Over 3?", "It fell.", "filter-num-gt"),
        ("count(filter-num-gt(find, question-num))", "Over 3?", "It had 7 men.", None),
        ("days-diff(find)", "How long?", "It had 7 men.", "days-diff"),
        ("sum(find)", "How many?", "Nobody came.", "sum"),
        ("sub(hundred, one)", "How many?", "Nobody came.", None),
        ("unknown", "Who?", "Nobody came.", None),
    ],
)
def test_missing_values_of_question_and_passage(
    program: str, question: str, passage: str, module: str | None
) -> None:
    tokenizer = tiny_network().tokenizer
    texts = TokenizedText.tokenize(question, tokenizer), PassageInput.from_text(passage, tokenizer)
    assert missing_values(Program.parse(program), *texts) == module


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


@torch.no_grad()
def test_unknown_is_explained_in_a_sentence() -> None:
    network = tiny_network()
    passage = PassageInput.from_text(PASSAGE, network.tokenizer)
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    (candidates,) = answer_candidates(network, network.encoder([question], [passage]))
    unknown = next(c for c in candidates if c.scored.program.name == "unknown")
    explanation = explain([unknown], AnswerPolicy())
    assert explanation.abstained and explanation.sentence == "The passage does not say."
