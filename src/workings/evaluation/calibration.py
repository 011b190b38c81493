"""Calibration: confidence that matches accuracy, and the confidence below which to abstain."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from workings.checkpoint.config import set_policy
from workings.checkpoint.model_folder import load
from workings.data.records import Passage
from workings.errors import DataError
from workings.inference.ranking import AnswerPolicy
from workings.reader import Reader
from workings.score import best_score

Floats = NDArray[np.float64]

# Bounds of the temperature. Where all answers are right, or all wrong, the best one is infinite.
MIN_TEMPERATURE, MAX_TEMPERATURE = 0.05, 20.0
_EPSILON = 1e-7


@dataclass(frozen=True)
class Calibration:
    """The result of a calibration.

    Attributes:
        questions: Number of questions used.
        right: Share of exactly right answers.
        temperature: The fitted temperature.
        before: Expected calibration error at temperature 1.
        after: Expected calibration error at the fitted temperature.
        threshold: The minimum confidence of an answer.
        answered: Share of the questions answered with at least that confidence.
        accuracy: Share of those answers that are exactly right.
        curve: The risk-coverage curve.
    """

    questions: int
    right: float
    temperature: float
    before: float
    after: float
    threshold: float
    answered: float
    accuracy: float
    curve: tuple["CoveragePoint", ...]


@dataclass(frozen=True)
class CoveragePoint:
    """The answers above one confidence.

    Attributes:
        threshold: The confidence.
        coverage: Share of the questions that are answered with at least that confidence.
        risk: Share of those answers that are wrong.
    """

    threshold: float
    coverage: float
    risk: float


def calibrate(
    folder: Path,
    passages: Sequence[Passage],
    progress: Callable[[int], None] = lambda _done: None,
    *,
    accuracy: float = 0.0,
) -> Calibration:
    """Fit temperature and threshold of a model on known answers and store them in its folder.

    Questions marked as unanswerable are used too: the result ``unknown`` is right for them,
    and any answer is wrong.

    Args:
        folder: The model folder.
        passages: Questions that the model was not trained on.
        accuracy: The share of right answers that the threshold must ensure on these questions; 0
            for no threshold.
        progress: Called with the number of questions answered so far.

    Raises:
        CheckpointError: If the folder is not a complete model folder.
        DataError: If no question has a known answer.
    """
    # The temperature is fitted to uncalibrated probabilities, whatever the folder's temperature is.
    reader = Reader(load(folder), AnswerPolicy(temperature=1.0))
    outcomes = []
    for outcome in _outcomes(reader, passages):
        outcomes.append(outcome)
        progress(len(outcomes))
    if not outcomes:
        hint = "Give a file of questions with their answers."
        raise DataError("There is no question with a known answer to calibrate on.", hint=hint)
    confidence, right, answers = np.array(outcomes, dtype=np.float64).T
    temperature = fit_temperature(confidence, right)
    calibrated = confidence ** (1 / temperature)
    given = answers > 0
    threshold = fit_threshold(calibrated[given], right[given], accuracy)
    above = given & (calibrated >= threshold)
    set_policy(folder, temperature=temperature, threshold=threshold)
    return Calibration(
        questions=len(outcomes),
        right=float(right.mean()),
        temperature=temperature,
        before=calibration_error(confidence, right),
        after=calibration_error(calibrated, right),
        threshold=threshold,
        answered=float(above.mean()),
        accuracy=float(right[above].mean()) if above.any() else 0.0,
        curve=risk_coverage(calibrated[given], right[given], len(outcomes)),
    )


def _outcomes(reader: Reader, passages: Sequence[Passage]) -> Iterator[tuple[float, bool, bool]]:
    """Yield each confidence, whether the output is right, and whether it is an answer."""
    for passage in passages:
        questions = [
            q for q in passage.questions if (q.answers or q.unanswerable) and q.text.strip()
        ]
        if questions:
            explanations = reader.read(passage.text).ask_many([q.text for q in questions])
            for question, explanation in zip(questions, explanations, strict=True):
                texts = list(explanation.answer.texts)
                if question.unanswerable or not texts:
                    yield explanation.confidence, question.unanswerable and not texts, bool(texts)
                else:
                    exact, _ = best_score(texts, question.answers)
                    yield explanation.confidence, exact == 1, True


def fit_threshold(confidence: Floats, right: Floats, accuracy: float) -> float:
    """The smallest threshold from which on answers are right often enough.

    Args:
        confidence: Confidence of each answer.
        right: 1 for each right answer, 0 for each wrong one.
        accuracy: The share of right answers to reach.

    Returns:
        The threshold, or the highest confidence if no threshold reaches the accuracy.
    """
    if not len(confidence) or right.mean() >= accuracy:
        return 0.0
    order = np.argsort(-confidence, kind="stable")
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    # Questions with equal confidences are all answered, or none of them.
    last = np.append(np.diff(confidence[order]) != 0, True)
    enough = np.flatnonzero((shares >= accuracy) & last)
    return float(confidence[order][enough[-1] if len(enough) else 0])


def risk_coverage(
    confidence: Floats, right: Floats, questions: int, points: int = 10
) -> tuple[CoveragePoint, ...]:
    """The share of wrong answers at several coverages, from the surest answers to all of them.

    Args:
        confidence: Confidence of each answer.
        right: 1 for each right answer, 0 for each wrong one.
        questions: Number of questions, answered or not.
        points: Number of points of the curve.
    """
    order = np.argsort(-confidence, kind="stable")
    counts = sorted({round(len(order) * point / points) for point in range(1, points + 1)} - {0})
    return tuple(
        CoveragePoint(
            threshold=float(confidence[order[count - 1]]),
            coverage=count / questions,
            risk=1 - float(right[order[:count]].mean()),
        )
        for count in counts
    )


def fit_temperature(confidence: Floats, right: Floats) -> float:
    """Fit the temperature T by maximum likelihood of ``confidence ** (1 / T)``.

    Args:
        confidence: Uncalibrated confidence of each answer.
        right: 1 for each right answer, 0 for each wrong one.
    """
    # The log-likelihood is concave in 1/T, so it has a single maximum in log T.
    result = minimize_scalar(
        lambda log_t: nll(confidence ** np.exp(-log_t), right),
        bounds=(np.log(MIN_TEMPERATURE), np.log(MAX_TEMPERATURE)),
        method="bounded",
    )
    return float(np.exp(result.x))


def nll(confidence: Floats, right: Floats) -> float:
    """Mean negative log-likelihood of right and wrong answers, given their confidence."""
    confidence = np.clip(confidence, _EPSILON, 1 - _EPSILON)
    return float(-np.mean(np.where(right > 0, np.log(confidence), np.log1p(-confidence))))


def calibration_error(confidence: Floats, right: Floats, bins: int = 10) -> float:
    """Expected calibration error: mean gap between confidence and accuracy, over bins.

    Args:
        confidence: Confidence of each answer.
        right: 1 for each right answer, 0 for each wrong one.
        bins: Number of equally wide bins of confidence.
    """
    bin_index = np.minimum((confidence * bins).astype(int), bins - 1)
    gaps = np.bincount(bin_index, confidence - right, bins)
    return float(np.abs(gaps).sum() / len(confidence))
