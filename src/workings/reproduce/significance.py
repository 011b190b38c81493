"""Whether two rows differ by more than chance: exactly, on the questions both were asked."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.fft import irfft, next_fast_len

from workings.errors import InputError
from workings.reproduce.result_files import RowResult
from workings.score import Estimate, Floats, estimate


@dataclass(frozen=True, slots=True)
class Contrast:
    """The F1 of one row less that of another, its interval, and how easily chance does as much."""

    questions: int
    difference: Estimate
    p: float


def contrast(first: RowResult, second: RowResult, group: str = "all") -> Contrast | None:
    """Two rows on a group of questions, paired by question; None where the group is empty."""
    ours = {score.id: score.f1 for score in first.group(group)}
    theirs = {score.id: score.f1 for score in second.group(group)}
    if ours.keys() != theirs.keys():
        hint = "Remove the older of the two results and run the row again."
        message = f"{first.row} and {second.row} were asked different questions."
        raise InputError(message, hint=hint)
    if not ours:
        return None
    difference = np.array([ours[name] - theirs[name] for name in ours])
    return Contrast(len(ours), estimate(difference), p_value(difference))


def p_value(differences: Floats) -> float:
    """How often swapping the two answers of each question by a fair coin parts the rows as far.

    The two-sided permutation test, over all 2ⁿ ways at once: scores are whole hundredths, so the
    total is a sum of ±d on a grid, whose distribution is the transform of Π cos(θ·d).
    """
    steps = np.rint(100 * differences).astype(np.int64)
    sizes, counts = np.unique(np.abs(steps[steps != 0]), return_counts=True)
    reach = int(sizes @ counts)
    length = next_fast_len(2 * reach + 2, real=True)
    angles = 2 * np.pi * np.arange(length // 2 + 1) / length
    waves = np.ones_like(angles)
    for size, count in zip(sizes, counts, strict=True):
        waves *= np.cos(angles * size) ** count
    chances = irfft(waves, length)  # of a total of 0, 1, … reach, and then of the negative ones
    within = abs(int(steps.sum()))
    tail = chances[within : reach + 1].sum()
    both = 2 * tail if within else 1.0
    return float(np.clip(both, 0.0, 1.0))


def holm(chances: Sequence[float]) -> list[float]:
    """The p-values of several tests, adjusted for their number by Holm's method."""
    order = np.argsort(chances, kind="stable")
    factors = len(chances) - np.arange(len(chances))
    raised = np.maximum.accumulate(np.asarray(chances)[order] * factors)
    adjusted = np.empty(len(chances))
    adjusted[order] = np.minimum(raised, 1.0)
    return [float(value) for value in adjusted]
