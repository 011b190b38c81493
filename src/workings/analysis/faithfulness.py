"""Faithfulness: whether steps attend to the evidence, and whether the answer depends on it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from random import Random
from statistics import fmean
from typing import Any

import torch
from torch import Tensor

from workings.analysis.alignment import AlignedStep, align_steps, target_spans
from workings.analysis.deletion import (
    CurvePair,
    Curves,
    Retention,
    answer_retention,
    measure_curves,
    probability_retention,
)
from workings.analysis.error_attribution import best_alignment
from workings.analysis.passage_weights import passage_weights
from workings.analysis.word_removal import random_words_like, top_words
from workings.data.records import Passage, Question
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.ranking import Candidate, answer_candidates
from workings.network.network import Network
from workings.peers import Model, NAQANet
from workings.supervision.supervise import supervise

# The row for the whole answer, which models without steps have too.
ANSWER = "answer"


@dataclass(frozen=True)
class StepMeasurement:
    """The measurements of one step of one question.

    Attributes:
        module: Name of the module, or ``ANSWER``.
        evidence: Weight on the evidence; None if the evidence is unknown.
        even: Weight that a uniform distribution over the passage has on the evidence.
        curves: Deletion and insertion curves; None if the step points at no words.
    """

    module: str
    evidence: float | None = None
    even: float | None = None
    curves: Curves | None = None


@dataclass(frozen=True)
class Faithfulness:
    """The mean measurements of one module.

    Attributes:
        module: Name of the module, or ``ANSWER``.
        steps: Number of steps.
        steps_with_evidence: Number of steps whose evidence is known.
        evidence: Mean weight on the evidence.
        even: Mean weight of a uniform distribution on the evidence.
        curves: Mean curves.
    """

    module: str
    steps: int
    steps_with_evidence: int
    evidence: float | None
    even: float | None
    curves: Curves | None

    def to_json(self) -> dict[str, Any]:
        """The measurements as plain data."""
        tree: dict[str, Any] = {
            "module": self.module,
            "steps": self.steps,
            "known": self.steps_with_evidence,
            "evidence": self.evidence,
            "even": self.even,
            "curves": None,
        }
        if self.curves:
            tree["curves"] = asdict(self.curves)
            tree["deletion"] = self.curves.deletion_area
            tree["insertion"] = self.curves.insertion_area
        return tree


def measure(model: Model, passages: Sequence[Passage]) -> Iterator[list[StepMeasurement]]:
    """Measure the steps and the answer of every question.

    Args:
        model: A network of modules or a peer. A peer has no steps: only its answer is measured.
        passages: Passages with questions. Empty questions are left out.

    Yields:
        The measurements of one question, the whole answer last.
    """
    model.eval()
    for passage in passages:
        passage_input = PassageInput.from_text(passage.text, model.tokenizer)
        for question in passage.questions:
            if not question.text.strip():
                continue
            tokens = TokenizedText.tokenize(question.text, model.tokenizer)
            if isinstance(model, Network):
                yield list(_measure_network(model, passage, question, tokens, passage_input))
            else:
                yield [_measure_peer(model, question, tokens, passage_input)]


def _measure_network(
    network: Network,
    passage: Passage,
    question: Question,
    tokens: TokenizedText,
    passage_input: PassageInput,
) -> Iterator[StepMeasurement]:
    with torch.inference_mode():
        encoding = network.encoder([tokens], [passage_input])
        candidate = answer_candidates(network, encoding)[0][0]
    retention, random = probability_retention(network, candidate), Random(question.id)
    highest = torch.zeros(len(passage_input))
    for aligned in _aligned_steps(network, candidate, passage, question):
        name = aligned.step.program.name
        weights = passage_weights(aligned.step, candidate.execution.encoding)
        if weights is None:
            yield StepMeasurement(name)
            continue
        own_weights = weights[candidate.row, : len(passage_input)].cpu()
        highest = torch.maximum(highest, own_weights)
        evidence = evidence_weight(aligned, own_weights, passage_input)
        curves = _curves(own_weights, passage_input, random, retention)
        yield StepMeasurement(name, *evidence, curves)
    same_answer = answer_retention(network, tokens, passage_input, candidate.answer)
    yield StepMeasurement(ANSWER, curves=_curves(highest, passage_input, random, same_answer))


def _aligned_steps(
    network: Network, candidate: Candidate, passage: Passage, question: Question
) -> list[AlignedStep]:
    """The steps with the targets of the derivation that they agree with longest."""
    values = candidate.execution.encoding.inputs[candidate.row].values
    supervision = supervise(passage, question, values)
    alignment = best_alignment(candidate, supervision, network.recipe.modules)
    return alignment.steps if alignment else align_steps(candidate.execution.step, {})


def _measure_peer(
    peer: NAQANet, question: Question, tokens: TokenizedText, passage_input: PassageInput
) -> StepMeasurement:
    """Measure the numbers that a peer adds, or the words of its span."""
    with torch.inference_mode():
        answer = peer.answer(peer.read([tokens], [passage_input]))[0]
    weights = torch.zeros(len(passage_input))
    for source, start, end in answer.places:
        if source == "passage":
            first, last = passage_input.tokens.locate(start, end)
            weights[first : last + 1] = 1
    retention = answer_retention(peer, tokens, passage_input, answer)
    curves = _curves(weights, passage_input, Random(question.id), retention)
    return StepMeasurement(ANSWER, curves=curves)


def _curves(
    weights: Tensor, passage: PassageInput, random: Random, retention: Retention
) -> Curves | None:
    """The curves of a step; None if it points at no word or the passage has no other words."""
    own = top_words(passage.tokens, weights.tolist())
    others = random_words_like(own, passage, random)
    return measure_curves(own, others, retention) if others else None


def evidence_weight(
    aligned: AlignedStep, weights: Tensor, passage: PassageInput
) -> tuple[float | None, float | None]:
    """The weight of a step on its evidence, and that of a uniform distribution.

    Args:
        aligned: The step with its target.
        weights: The step's weights of the passage tokens.
        passage: The passage.

    Returns:
        The two weights, or two times None if the step has no target in the passage.
    """
    evidence = torch.zeros(len(passage))
    for spans in target_spans(aligned.target, passage):
        for first, last in spans:
            evidence[first : last + 1] = 1
    if not evidence.any():
        return None, None
    return float((weights * evidence).sum()), float(evidence.mean())


def summarise(measurements: Iterable[StepMeasurement]) -> list[Faithfulness]:
    """Average the measurements by module, the whole answer last."""
    by_module: dict[str, list[StepMeasurement]] = {}
    for measurement in measurements:
        by_module.setdefault(measurement.module, []).append(measurement)
    order = sorted(by_module, key=lambda module: (module == ANSWER, module))
    return [_mean(module, by_module[module]) for module in order]


def _mean(module: str, steps: Sequence[StepMeasurement]) -> Faithfulness:
    evidence = [step.evidence for step in steps if step.evidence is not None]
    even = [step.even for step in steps if step.even is not None]
    curves = [step.curves for step in steps if step.curves is not None]
    return Faithfulness(
        module,
        steps=len(steps),
        steps_with_evidence=len(evidence),
        evidence=fmean(evidence) if evidence else None,
        even=fmean(even) if even else None,
        curves=_mean_curves(curves) if curves else None,
    )


def _mean_curves(curves: Sequence[Curves]) -> Curves:
    return Curves(
        _mean_pair([each.deletion for each in curves]),
        _mean_pair([each.insertion for each in curves]),
    )


def _mean_pair(pairs: Sequence[CurvePair]) -> CurvePair:
    own, random = (
        [fmean(points) for points in zip(*side, strict=True)] for side in zip(*pairs, strict=True)
    )
    return own, random
