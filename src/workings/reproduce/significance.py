"""Significance tests between rows: exact paired permutation tests, adjusted by Holm's method."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.fft import irfft, next_fast_len

from workings.errors import InputError
from workings.reproduce.result_files import RowResult
from workings.score import Estimate, Floats, estimate


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """The difference in F1 between two rows.

    Attributes:
        questions: Number of questions.
        difference: F1 of the first row less that of the second, with its interval.
        p: The two-sided p-value.
    """

    questions: int
    difference: Estimate
    p: float


def compare_rows(
    first: RowResult, second: RowResult, group: str = "all"
) -> PairedComparison | None:
    """Compare two rows, paired by question.

    Args:
        first: The first row.
        second: The second row.
        group: The group of questions, as in ``RowResult.group``.

    Returns:
        The comparison, or None if the group is empty.

    Raises:
        InputError: If the rows were scored on different questions.
    """
    first_f1 = {score.id: score.f1 for score in first.group(group)}
    second_f1 = {score.id: score.f1 for score in second.group(group)}
    if first_f1.keys() != second_f1.keys():
        message = f"{first.row} and {second.row} were scored on different questions."
        hint = "Remove the older of the two results and run the row again."
        raise InputError(message, hint=hint)
    if not first_f1:
        return None
    differences = np.array([first_f1[name] - second_f1[name] for name in first_f1])
    return PairedComparison(len(first_f1), estimate(differences), p_value(differences))


def p_value(differences: Floats) -> float:
    """Compute the two-sided p-value of the paired permutation test over all 2ⁿ exchanges.

    Scores are whole hundredths, so the total is a sum of ±d over whole numbers d. Its distribution
    is the inverse Fourier transform of Π cos(θ·d).

    Args:
        differences: The difference in score of each question.
    """
    hundredths = np.rint(100 * differences).astype(np.int64)
    sizes, counts = np.unique(np.abs(hundredths[hundredths != 0]), return_counts=True)
    largest = int(sizes @ counts)
    length = next_fast_len(2 * largest + 2, real=True)
    angles = 2 * np.pi * np.arange(length // 2 + 1) / length
    transform = np.ones_like(angles)
    for size, count in zip(sizes, counts, strict=True):
        transform *= np.cos(angles * size) ** count
    probabilities = irfft(transform, length)  # of the totals 0 to largest, then the negative ones
    observed = abs(int(hundredths.sum()))
    tail = probabilities[observed : largest + 1].sum()
    p = 2 * tail if observed else 1.0
    return float(np.clip(p, 0.0, 1.0))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust the p-values of several tests by Holm's method."""
    order = np.argsort(p_values, kind="stable")
    factors = len(p_values) - np.arange(len(p_values))
    raised = np.maximum.accumulate(np.asarray(p_values)[order] * factors)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(raised, 1.0)
    return [float(value) for value in adjusted]
