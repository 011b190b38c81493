"""Answer the questions of a data split with a model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import torch

from workings.data.records import Passage, Question
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.forking import use_one_thread_after_fork
from workings.inference.ranking import Candidate, answer_candidates
from workings.network.network import Network
from workings.peers import Model

T = TypeVar("T")


def predict(
    network: Network, passages: Sequence[Passage], *, batch_size: int = 16
) -> Iterator[tuple[Question, list[Candidate]]]:
    """Answer every question of some passages with a module network.

    Args:
        network: The network.
        passages: The passages with their questions.
        batch_size: Number of questions, of one passage, that are answered at a time.

    Yields:
        Each question with its candidates, best first. Questions that are empty or longer than the
        encoder can read are left out.
    """

    def answer(questions: list[TokenizedText], inputs: list[PassageInput]) -> list[list[Candidate]]:
        return answer_candidates(network, network.encoder(questions, inputs))

    return _predict(network, passages, answer, batch_size)


def predict_texts(
    model: Model, passages: Sequence[Passage], *, batch_size: int = 16
) -> Iterator[tuple[Question, list[str]]]:
    """Answer every question of some passages with a module network or a peer.

    Args:
        model: The model.
        passages: The passages with their questions.
        batch_size: Number of questions, of one passage, that are answered at a time.

    Yields:
        Each question with the texts of its answer. Questions that are empty or longer than the
        encoder can read are left out.
    """
    if isinstance(model, Network):
        for question, candidates in predict(model, passages, batch_size=batch_size):
            yield question, texts_of(candidates)
        return

    def answer(questions: list[TokenizedText], inputs: list[PassageInput]) -> list[list[str]]:
        return [list(answer.texts) for answer in model.answer(model.read(questions, inputs))]

    yield from _predict(model, passages, answer, batch_size)


def _predict(
    model: Model,
    passages: Sequence[Passage],
    answer: Callable[[list[TokenizedText], list[PassageInput]], list[T]],
    batch_size: int,
) -> Iterator[tuple[Question, T]]:
    use_one_thread_after_fork()
    model.eval()
    for passage in passages:
        tokenized = [
            (question, TokenizedText.tokenize(question.text, model.tokenizer))
            for question in passage.questions
            if question.text.strip()
        ]
        readable = [pair for pair in tokenized if len(pair[1]) <= model.encoder.max_question_tokens]
        passage_input = PassageInput.from_text(passage.text, model.tokenizer)
        for start in range(0, len(readable), batch_size):
            batch = readable[start : start + batch_size]
            with torch.inference_mode():
                answers = answer([tokens for _, tokens in batch], [passage_input] * len(batch))
            yield from zip([question for question, _ in batch], answers, strict=True)


def questions_to_score(
    passages: Sequence[Passage], *, all_questions: bool = False
) -> list[Passage]:
    """Select the questions that are scored.

    Args:
        passages: The passages with their questions.
        all_questions: Keep questions without a kind and without a type, too.

    Returns:
        The passages that have questions left.
    """
    selected = [
        replace(p, questions=tuple(q for q in p.questions if all_questions or q.kind or q.type))
        for p in passages
    ]
    return [passage for passage in selected if passage.questions]


def texts_of(candidates: Sequence[Candidate]) -> list[str]:
    """Return the texts of the best candidate's answer; none without candidates."""
    return list(candidates[0].answer.texts) if candidates else []
