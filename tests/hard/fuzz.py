"""Tens of thousands of bad inputs: each is taken, or refused with a typed error and a hint."""

import argparse
import faulthandler
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table
from targets import TARGETS, Case, Open

from workings.errors import WorkingsError

# Seconds of processor time a case may take, however busy the machine is.
BOUND = 20.0
_HUNG = 1800
_MOST_SHOWN = 5


class SlowError(Exception):
    """A case that took longer than it may."""


@dataclass
class Tally:
    """What came of the cases of one target."""

    taken: int = 0
    refused: int = 0
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)


def fuzz(name: str, case: Case, numbers: range, seed: int) -> Tally:
    """Run cases; each is known by the seed, the target and its number, and can be run again."""
    tally = Tally()
    for number in numbers:
        began = time.process_time()
        try:
            with _bounded():
                case(Random(f"{seed}/{name}/{number}"))
            tally.taken += 1
        except WorkingsError as error:
            tally.refused += 1
            if not error.message.strip() or not error.hint.strip():
                tally.faults.append(f"{name} {number}: no message or no hint: {error!r}")
        except Exception:
            tally.faults.append(f"{name} {number}: {traceback.format_exc(limit=-6)}")
        tally.slowest = max(tally.slowest, time.process_time() - began)
    return tally


@contextmanager
def _bounded() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise SlowError(f"more than {BOUND:g} seconds")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, BOUND)
    faulthandler.dump_traceback_later(_HUNG, exit=True)  # where no Python runs that could be told
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()


def run(open_: Open, name: str, numbers: range, seed: int) -> Tally:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        return fuzz(name, open_(folder, stack), numbers, seed)


def _report(tallies: dict[str, Tally], console: Console) -> None:
    table = Table("target")
    for head in ("cases", "taken", "refused", "slowest", "faults"):
        table.add_column(head, justify="right")
    for name, one in tallies.items():
        cases = one.taken + one.refused + len(one.faults)
        table.add_row(
            name,
            f"{cases:,}",
            f"{one.taken:,}",
            f"{one.refused:,}",
            f"{one.slowest:.2f} s",
            str(len(one.faults)),
        )
    console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, default=1.0, help="of each target's cases")
    parser.add_argument("--only", choices=sorted(TARGETS), help="one target alone")
    parser.add_argument("--case", type=int, help="one case alone")
    given = parser.parse_args()
    console, tallies = Console(width=100), dict[str, Tally]()
    for name, (cases, open_) in TARGETS.items():
        if given.only in (None, name):
            all_ = range(max(1, round(cases * given.share)))
            numbers = all_ if given.case is None else range(given.case, given.case + 1)
            tallies[name] = run(open_, name, numbers, given.seed)
            for fault in tallies[name].faults[:_MOST_SHOWN]:
                console.print(fault, style="red", markup=False, highlight=False)
    _report(tallies, console)
    return int(any(one.faults for one in tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
