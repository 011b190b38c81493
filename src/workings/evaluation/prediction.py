"""Answer the questions of a split with a model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import torch

from workings.data.records import Passage, Question
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.ranking import Candidate, answer_candidates
from workings.network.network import Network
from workings.peers import Model
from workings.score import Report, evaluate

T = TypeVar("T")


def predict(
    network: Network, passages: Sequence[Passage], *, size: int = 16
) -> Iterator[tuple[Question, list[Candidate]]]:
    """The candidates at every question, a few questions of a passage at a time."""

    def tell(asked: list[TokenizedText], read: list[PassageInput]) -> list[list[Candidate]]:
        return answer_candidates(network, network.encoder(asked, read))

    return _ask(network, passages, tell, size)


def predict_texts(
    model: Model, passages: Sequence[Passage], *, size: int = 16
) -> Iterator[tuple[Question, list[str]]]:
    """What a model of any sort says to every question."""
    if isinstance(model, Network):
        for question, candidates in predict(model, passages, size=size):
            yield question, texts_of(candidates)
        return

    def tell(asked: list[TokenizedText], read: list[PassageInput]) -> list[list[str]]:
        return [list(answer.texts) for answer in model.answer(model.read(asked, read))]

    yield from _ask(model, passages, tell, size)


def _ask(
    model: Model,
    passages: Sequence[Passage],
    tell: Callable[[list[TokenizedText], list[PassageInput]], list[T]],
    size: int,
) -> Iterator[tuple[Question, T]]:
    """Questions too long to be read get no answer, which scores nothing."""
    model.eval()
    for passage in passages:
        worded = [question for question in passage.questions if question.text.strip()]
        cut = [(question, TokenizedText.cut(question.text, model.tokenizer)) for question in worded]
        asked = [(q, pieces) for q, pieces in cut if len(pieces) <= model.encoder.longest]
        read = PassageInput.read(passage.text, model.tokenizer)
        for place in range(0, len(asked), size):
            some = asked[place : place + size]
            with torch.inference_mode():
                told = tell([pieces for _, pieces in some], [read] * len(some))
            yield from zip([question for question, _ in some], told, strict=True)


def questions_to_score(
    passages: Sequence[Passage], *, all_questions: bool = False
) -> list[Passage]:
    """Only the questions that are scored: those with a kind, unless all are asked for."""
    kept = [
        replace(p, questions=tuple(q for q in p.questions if all_questions or q.kind))
        for p in passages
    ]
    return [passage for passage in kept if passage.questions]


def score_model(model: Model, passages: Sequence[Passage]) -> Report:
    """The official score of what the model says."""
    answers = {question.id: texts for question, texts in predict_texts(model, passages)}
    return evaluate(answers, passages)


def texts_of(candidates: Sequence[Candidate]) -> list[str]:
    """What the best answer_candidates says."""
    return list(candidates[0].answer.texts) if candidates else []
