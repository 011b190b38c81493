"""Answer the questions of a split with a network."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch

from workings.answer import Attempt, attempt
from workings.data.records import Passage, Question
from workings.encoder.inputs import PassageInput, Pieces
from workings.network import Network
from workings.score import Report, evaluate


def predict(
    network: Network, passages: Sequence[Passage], *, size: int = 16
) -> Iterator[tuple[Question, list[Attempt]]]:
    """The attempts at every question, a few questions of a passage at a time."""
    network.eval()
    for passage in passages:
        asked = [question for question in passage.questions if question.text.strip()]
        read = PassageInput.read(passage.text, network.tokenizer)
        for place in range(0, len(asked), size):
            some = asked[place : place + size]
            pieces = [Pieces.cut(question.text, network.tokenizer) for question in some]
            with torch.inference_mode():
                encoding = network.encoder(pieces, [read] * len(some))
                yield from zip(some, attempt(network, encoding), strict=True)


def of_kinds(passages: Sequence[Passage], *, all_questions: bool = False) -> list[Passage]:
    """Only the questions that are scored: those with a kind, unless all are asked for."""
    kept = [
        replace(p, questions=tuple(q for q in p.questions if all_questions or q.kind))
        for p in passages
    ]
    return [passage for passage in kept if passage.questions]


def score_network(network: Network, passages: Sequence[Passage]) -> Report:
    """The official score of the network's best attempts."""
    answers = {question.id: texts_of(attempts) for question, attempts in predict(network, passages)}
    return evaluate(answers, passages)


def texts_of(attempts: Sequence[Attempt]) -> list[str]:
    """What the best attempt says."""
    return list(attempts[0].answer.texts) if attempts else []
