"""Calibration: fit the temperature that makes confidence match accuracy."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from workings.checkpoint.config import set_temperature
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
    """

    questions: int
    right: float
    temperature: float
    before: float
    after: float


def calibrate(
    folder: Path, passages: Sequence[Passage], progress: Callable[[int], None] = lambda _done: None
) -> Calibration:
    """Fit the temperature of a model on questions with known answers and store it in its folder.

    Args:
        folder: The model folder.
        passages: Questions that the model was not trained on.
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
    confidence, right = np.array(outcomes, dtype=np.float64).T
    temperature = fit_temperature(confidence, right)
    set_temperature(folder, temperature)
    return Calibration(
        questions=len(outcomes),
        right=float(right.mean()),
        temperature=temperature,
        before=calibration_error(confidence, right),
        after=calibration_error(confidence ** (1 / temperature), right),
    )


def _outcomes(reader: Reader, passages: Sequence[Passage]) -> Iterator[tuple[float, bool]]:
    """Yield the confidence of each answer, and whether the answer is exactly right."""
    for passage in passages:
        questions = [q for q in passage.questions if q.answers and q.text.strip()]
        if questions:
            explanations = reader.read(passage.text).ask_many([q.text for q in questions])
            for question, explanation in zip(questions, explanations, strict=True):
                exact, _ = best_score(list(explanation.answer.texts), question.answers)
                yield explanation.confidence, exact == 1


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
