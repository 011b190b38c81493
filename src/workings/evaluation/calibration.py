"""Calibration: how far confidence can be trusted, and the temperature that fits it to the truth."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from workings.checkpoint.model_folder import CONFIG, load, read_config
from workings.data.records import Passage
from workings.errors import DataError
from workings.files import write_atomically
from workings.reader import Reader
from workings.score import best_score

Floats = NDArray[np.float64]

# Where all answers are right, or all wrong, no temperature is best: it stays within these.
COLDEST, HOTTEST = 0.05, 20.0
_EPSILON = 1e-7


@dataclass(frozen=True)
class Calibration:
    """What was found on a file of questions."""

    questions: int
    right: float  # share of the answers
    temperature: float
    before: float  # expected calibration error at temperature one
    after: float


def calibrate(
    folder: Path, passages: Sequence[Passage], watch: Callable[[int], None] = lambda _asked: None
) -> Calibration:
    """Fit the temperature of a model folder on known answers, and write it there."""
    outcomes = []
    for outcome in _outcomes(Reader(load(folder)), passages):
        outcomes.append(outcome)
        watch(len(outcomes))
    if not outcomes:
        hint = "Give a file of questions with their answers."
        raise DataError("There is no question with a known answer to calibrate on.", hint=hint)
    sure, right = np.array(outcomes, dtype=np.float64).T
    found = fit_temperature(sure, right)
    set_temperature(folder, found)
    return Calibration(
        questions=len(outcomes),
        right=float(right.mean()),
        temperature=found,
        before=calibration_error(sure, right),
        after=calibration_error(sure ** (1 / found), right),
    )


def _outcomes(reader: Reader, passages: Sequence[Passage]) -> Iterator[tuple[float, bool]]:
    """How sure the reader is of each answer, and whether it is exactly right."""
    for passage in passages:
        asked = [q for q in passage.questions if q.answers and q.text.strip()]
        if asked:
            found = reader.read(passage.text).ask_many([question.text for question in asked])
            for question, told in zip(asked, found, strict=True):
                exact, _ = best_score(list(told.answer.texts), question.answers)
                yield told.confidence, exact == 1


def fit_temperature(sure: Floats, right: Floats) -> float:
    """The T for which sure^(1/T) makes the rights and wrongs likeliest."""
    # In 1/T the likelihood is concave, so in its logarithm there is one hill to climb.
    found = minimize_scalar(
        lambda log: nll(sure ** np.exp(-log), right),
        bounds=(np.log(COLDEST), np.log(HOTTEST)),
        method="bounded",
    )
    return float(np.exp(found.x))


def nll(sure: Floats, right: Floats) -> float:
    """The mean negative log-likelihood of the rights and wrongs."""
    sure = np.clip(sure, _EPSILON, 1 - _EPSILON)
    return float(-np.mean(np.where(right > 0, np.log(sure), np.log1p(-sure))))


def calibration_error(sure: Floats, right: Floats, bins: int = 10) -> float:
    """Expected calibration error: how far confidence is from the share of rights, bin by bin."""
    place = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = np.bincount(place, sure - right, bins)
    return float(np.abs(gaps).sum() / len(sure))


def set_temperature(folder: Path, temperature: float) -> None:
    """Write a temperature into a model folder; its config is the old one or the new, never half."""
    config = read_config(folder).model_copy(update={"temperature": temperature})
    with write_atomically(folder / CONFIG) as file:
        file.write((config.model_dump_json(indent=2) + "\n").encode())
