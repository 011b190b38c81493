"""Measures how well a model recognises questions that the passage does not answer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workings.inference.ranking import (
    AnswerPolicy,
    Candidate,
    answer_probability,
    unknown_probability,
)
from workings.score import Floats


@dataclass(frozen=True, slots=True)
class AnswerConfidence:
    """A model's confidence in its answer to one question.

    Attributes:
        confidence: The confidence of the best answer.
        unknown: The probability that the passage does not contain the answer.
    """

    confidence: float
    unknown: float


def answer_confidence(candidates: Sequence[Candidate], policy: AnswerPolicy) -> AnswerConfidence:
    """Compute the confidence from the candidates of a question, best first."""
    if not candidates:
        return AnswerConfidence(0.0, 0.0)
    confidence = policy.confidence(answer_probability(candidates)[0])
    return AnswerConfidence(confidence, min(unknown_probability(candidates), 1.0))


def answerability_auroc(
    answerable: Sequence[AnswerConfidence], unanswerable: Sequence[AnswerConfidence]
) -> float:
    """The area under the ROC curve of answerable against unanswerable questions.

    Questions are ranked by the probability that they have an answer, or by the confidence of the
    answer if no question has a probability of having none.

    Args:
        answerable: The confidences for questions with an answer; at least one.
        unanswerable: The confidences for questions without; at least one.
    """
    has_unknown = any(each.unknown > 0 for each in (*answerable, *unanswerable))

    def scores(confidences: Sequence[AnswerConfidence]) -> Floats:
        values = (1 - each.unknown if has_unknown else each.confidence for each in confidences)
        return np.fromiter(values, np.float64)

    return auroc(scores(answerable), scores(unanswerable))


def auroc(positives: Floats, negatives: Floats) -> float:
    """The probability that a positive scores above a negative; ties count half.

    Computed exactly from the ranks (the statistic of Mann and Whitney).

    Args:
        positives: The scores of the positives; at least one.
        negatives: The scores of the negatives; at least one.
    """
    ordered = np.sort(negatives)
    below = np.searchsorted(ordered, positives, side="left")
    not_above = np.searchsorted(ordered, positives, side="right")
    return float((below + not_above).sum() / (2 * len(positives) * len(negatives)))
