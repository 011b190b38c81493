"""Ratios within one run: both sides measured in turn, the median ratio and its spread."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

Work = Callable[[], object]


@dataclass(frozen=True)
class Ratio:
    """How much longer one thing takes than another."""

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.2f} ({self.low:.2f}–{self.high:.2f})"


def seconds(work: Work) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def ratio(work: Work, reference: Work, rounds: int = 7) -> Ratio:
    """Interleaved, so that a busy moment hits both sides; the first round warms up."""
    found = [seconds(work) / seconds(reference) for _ in range(rounds + 1)][1:]
    low, middle, high = statistics.quantiles(found, n=4)
    return Ratio(middle, low, high)


@dataclass(frozen=True)
class Row:
    """One line of the table of budgets."""

    what: str
    found: str
    budget: str
    held: bool


def show(rows: list[Row]) -> bool:
    """Print the table; whether every budget held."""
    from rich.console import Console
    from rich.table import Table

    table = Table("what", "median (quartiles)", "budget", "held", box=None, pad_edge=False)
    for row in rows:
        table.add_row(row.what, row.found, row.budget, "yes" if row.held else "NO")
    Console(width=130).print(table)
    return all(row.held for row in rows)
