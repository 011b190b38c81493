"""Faithfulness: whether steps look at what matters, and whether the answer hangs on it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from random import Random
from statistics import fmean
from typing import Any

import torch
from torch import Tensor

from workings.analysis.alignment import AlignedStep, follow, places_of
from workings.analysis.deletion import Curves, Kept, Pair, draw, kept_answer, kept_probability
from workings.analysis.error_attribution import follow_best
from workings.analysis.passage_weights import pointed
from workings.analysis.word_removal import heaviest, others_like
from workings.data.records import Passage, Question
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.ranking import answer_candidates
from workings.network.network import Network
from workings.peers import Model, NAQANet
from workings.supervision.supervise import supervise

# The row of the answer as a whole, which models without steps have too.
ANSWER = "answer"


@dataclass(frozen=True)
class StepMeasurement:
    """One step of one question; what does not concern it is None."""

    module: str
    evidence: float | None = None  # its weight on the words that matter
    even: float | None = None  # what an even spread would lay on them
    curves: Curves | None = None


@dataclass(frozen=True)
class Faithfulness:
    """The means of one module."""

    module: str
    steps: int
    known: int  # steps of which it is known what matters
    evidence: float | None
    even: float | None
    curves: Curves | None

    def to_json(self) -> dict[str, Any]:
        tree = asdict(self)
        if self.curves:
            tree["deletion"] = self.curves.deletion_area
            tree["insertion"] = self.curves.insertion_area
        return tree


def measure(model: Model, passages: Sequence[Passage]) -> Iterator[list[StepMeasurement]]:
    """For every question in turn, its steps and its answer."""
    model.eval()
    for passage in passages:
        read = PassageInput.read(passage.text, model.tokenizer)
        for question in (one for one in passage.questions if one.text.strip()):
            pieces = TokenizedText.cut(question.text, model.tokenizer)
            if isinstance(model, Network):
                yield list(_of_network(model, passage, question, (pieces, read)))
            else:
                yield [_of_peer(model, question, (pieces, read))]


def _curves(weights: Tensor, passage: PassageInput, random: Random, kept: Kept) -> Curves | None:
    """None where a step points at no word, or no other word is left."""
    own = heaviest(passage.tokens, weights.tolist())
    others = others_like(own, passage, random)
    return draw(own, others, kept) if others else None


def _of_network(
    network: Network,
    passage: Passage,
    question: Question,
    asked: tuple[TokenizedText, PassageInput],
) -> Iterator[StepMeasurement]:
    pieces, read = asked
    with torch.inference_mode():
        tried = answer_candidates(network, network.encoder([pieces], [read]))[0][0]
    known = supervise(passage, question, read.values)
    followed = follow_best(tried, known, network.recipe.modules)
    turns = followed.turns if followed else follow(tried.execution.step, {})
    kept, random = kept_probability(network, tried), Random(question.id)
    strongest = torch.zeros(len(read))
    for turn in turns:
        weights = pointed(turn.step, tried.execution.encoding)
        if weights is None:
            yield StepMeasurement(turn.step.program.name)
            continue
        mine = weights[tried.row, : len(read)].cpu()
        strongest = torch.maximum(strongest, mine)
        evidence = on_evidence(turn, mine, read)
        curves = _curves(mine, read, random, kept)
        yield StepMeasurement(turn.step.program.name, *evidence, curves)
    same = kept_answer(network, pieces, read, tried.answer)
    yield StepMeasurement(ANSWER, curves=_curves(strongest, read, random, same))


def _of_peer(
    peer: NAQANet, question: Question, asked: tuple[TokenizedText, PassageInput]
) -> StepMeasurement:
    """A peer shows no steps, but the numbers it adds or the words it names are a claim too."""
    pieces, read = asked
    with torch.inference_mode():
        answer = peer.answer(peer.read([pieces], [read]))[0]
    weights = torch.zeros(len(read))
    for where, start, end in answer.places:
        if where == "passage":
            first, last = read.tokens.locate(start, end)
            weights[first : last + 1] = 1
    kept = kept_answer(peer, pieces, read, answer)
    return StepMeasurement(ANSWER, curves=_curves(weights, read, Random(question.id), kept))


def on_evidence(
    turn: AlignedStep, weights: Tensor, passage: PassageInput
) -> tuple[float | None, float | None]:
    """The weight on the words that matter, and what an even spread would lay there."""
    matter = torch.zeros(len(passage))
    for group in places_of(turn.wanted, passage):
        for first, last in group:
            matter[first : last + 1] = 1
    if not matter.any():
        return None, None
    return float((weights * matter).sum()), float(matter.mean())


def summarise(measured: Iterable[StepMeasurement]) -> list[Faithfulness]:
    """The means by module, the answer as a whole last."""
    groups: dict[str, list[StepMeasurement]] = {}
    for one in measured:
        groups.setdefault(one.module, []).append(one)
    order = sorted(groups, key=lambda module: (module == ANSWER, module))
    return [_mean(module, groups[module]) for module in order]


def _mean(module: str, steps: Sequence[StepMeasurement]) -> Faithfulness:
    evidence = [one.evidence for one in steps if one.evidence is not None]
    even = [one.even for one in steps if one.even is not None]
    curves = [one.curves for one in steps if one.curves is not None]
    return Faithfulness(
        module,
        steps=len(steps),
        known=len(evidence),
        evidence=fmean(evidence) if evidence else None,
        even=fmean(even) if even else None,
        curves=_mean_curves(curves) if curves else None,
    )


def _mean_curves(curves: Sequence[Curves]) -> Curves:
    return Curves(
        _mean_pair([one.deletion for one in curves]), _mean_pair([one.insertion for one in curves])
    )


def _mean_pair(pairs: Sequence[Pair]) -> Pair:
    own, random = (
        [fmean(points) for points in zip(*side, strict=True)] for side in zip(*pairs, strict=True)
    )
    return own, random
