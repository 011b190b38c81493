"""Ratios of times within one run: both sides measured alternately, median and quartiles."""

import resource
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time

import torch
from rich.console import Console
from rich.table import Table

Work = Callable[[], object]


class Clock:
    """The clock of all measurements: wall time, or processor time on a busy machine."""

    now: Callable[[], float] = staticmethod(perf_counter)

    @classmethod
    def use_processor_time(cls) -> None:
        """Measure processor time on one core from now on."""
        torch.set_num_threads(1)
        cls.now = staticmethod(_processor_time)


def _processor_time() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


@dataclass(frozen=True)
class Ratio:
    """Median and quartiles of a ratio of two times."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        digits = 0 if self.median >= 20 else 2
        return f"{self.median:.{digits}f} ({self.low:.{digits}f}–{self.high:.{digits}f})"


def seconds(work: Work) -> float:
    """The time of one call."""
    start = Clock.now()
    work()
    return Clock.now() - start


def repeat(work: Work, times: int) -> Work:
    """Several calls as one, for work that is too short to measure."""
    return lambda: [work() for _ in range(times)]


def ratio(work: Work, reference: Work, rounds: int) -> Ratio:
    """Measure work against a reference.

    Both sides alternate, so that other load on the machine affects both. The first round warms up
    and is discarded.
    """
    ratios = [seconds(work) / seconds(reference) for _ in range(rounds + 1)][1:]
    low, median, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return Ratio(median, low, high)


@dataclass(frozen=True)
class BenchmarkRow:
    """One line of the table; without a budget it is only information."""

    name: str
    result: str
    budget: str = ""
    holds: bool = True

    @staticmethod
    def at_most(name: str, result: Ratio, limit: float) -> "BenchmarkRow":
        return BenchmarkRow(name, str(result), f"≤ {limit:g}", result.median <= limit)

    @staticmethod
    def at_least(name: str, result: Ratio, limit: float) -> "BenchmarkRow":
        return BenchmarkRow(name, str(result), f"≥ {limit:g}", result.median >= limit)


def show(rows: Sequence[BenchmarkRow]) -> bool:
    """Print the table.

    Returns:
        Whether all budgets hold.
    """
    columns = ("measurement", "median (quartiles)", "budget", "holds")
    table = Table(*columns, box=None, pad_edge=False)
    for row in rows:
        holds = "yes" if row.holds else "NO"
        table.add_row(row.name, row.result, row.budget, holds if row.budget else "")
    Console(width=120).print(table)
    return all(row.holds for row in rows)
