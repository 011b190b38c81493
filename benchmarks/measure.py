"""Ratios within one run: both sides measured in turn, the median ratio and its spread."""

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
    """What is measured: time on the wall, or on a busy machine the time one core worked."""

    now: Callable[[], float] = staticmethod(perf_counter)

    @classmethod
    def count_work(cls) -> None:
        torch.set_num_threads(1)
        cls.now = staticmethod(_worked)


def _worked() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


@dataclass(frozen=True)
class Ratio:
    """How much longer one thing takes than another: the median and the quartiles."""

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        digits = 0 if self.middle >= 20 else 2
        return f"{self.middle:.{digits}f} ({self.low:.{digits}f}–{self.high:.{digits}f})"


def seconds(work: Work) -> float:
    start = Clock.now()
    work()
    return Clock.now() - start


def often(work: Work, times: int) -> Work:
    """Short work again and again, so that it can be measured."""
    return lambda: [work() for _ in range(times)]


def ratio(work: Work, reference: Work, rounds: int) -> Ratio:
    """Interleaved, so that a busy moment hits both sides; the first round warms up."""
    found = [seconds(work) / seconds(reference) for _ in range(rounds + 1)][1:]
    low, middle, high = statistics.quantiles(found, n=4, method="inclusive")
    return Ratio(middle, low, high)


@dataclass(frozen=True)
class Row:
    """One line of the table; without a budget it only tells."""

    what: str
    found: str
    budget: str = ""
    held: bool = True

    @staticmethod
    def at_most(what: str, found: Ratio, limit: float) -> "Row":
        return Row(what, str(found), f"≤ {limit:g}", found.middle <= limit)

    @staticmethod
    def at_least(what: str, found: Ratio, limit: float) -> "Row":
        return Row(what, str(found), f"≥ {limit:g}", found.middle >= limit)


def show(rows: Sequence[Row]) -> bool:
    """Print the table; whether every budget held."""
    table = Table("what", "median (quartiles)", "budget", "held", box=None, pad_edge=False)
    for row in rows:
        held = "yes" if row.held else "NO"
        table.add_row(row.what, row.found, row.budget, held if row.budget else "")
    Console(width=120).print(table)
    return all(row.held for row in rows)
