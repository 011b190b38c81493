"""Fuzzing: every random input is accepted, or rejected with a typed error and a hint."""

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

from fuzz_targets import TARGETS, Case, Prepare
from rich.console import Console
from rich.table import Table

from workings.errors import WorkingsError

# Most processor seconds of a case; processor time does not depend on other work of the machine.
MAX_SECONDS = 20.0
_HANG_SECONDS = 1800
_MAX_SHOWN_FAILURES = 5


class SlowError(Exception):
    """A case took too long."""


@dataclass
class FuzzResult:
    """Outcomes of the cases of one target."""

    accepted: int = 0
    rejected: int = 0
    slowest: float = 0.0
    failures: list[str] = field(default_factory=list)


def fuzz(name: str, case: Case, numbers: range, seed: int) -> FuzzResult:
    """Run cases. Seed, target and number determine a case, so that it can be repeated."""
    result = FuzzResult()
    for number in numbers:
        start = time.process_time()
        try:
            with _time_limit():
                case(Random(f"{seed}/{name}/{number}"))
            result.accepted += 1
        except WorkingsError as error:
            result.rejected += 1
            if not error.message.strip() or not error.hint.strip():
                result.failures.append(f"{name} {number}: no message or no hint: {error!r}")
        except Exception:
            result.failures.append(f"{name} {number}: {traceback.format_exc(limit=-6)}")
        result.slowest = max(result.slowest, time.process_time() - start)
    return result


@contextmanager
def _time_limit() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise SlowError(f"more than {MAX_SECONDS:g} seconds")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
    # Code that blocks outside Python does not receive the signal.
    faulthandler.dump_traceback_later(_HANG_SECONDS, exit=True)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()


def run(prepare: Prepare, name: str, numbers: range, seed: int) -> FuzzResult:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        return fuzz(name, prepare(folder, stack), numbers, seed)


def _print_table(results: dict[str, FuzzResult], console: Console) -> None:
    table = Table("target")
    for column in ("cases", "accepted", "rejected", "slowest", "failures"):
        table.add_column(column, justify="right")
    for name, result in results.items():
        cases = result.accepted + result.rejected + len(result.failures)
        table.add_row(
            name,
            f"{cases:,}",
            f"{result.accepted:,}",
            f"{result.rejected:,}",
            f"{result.slowest:.2f} s",
            str(len(result.failures)),
        )
    console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, default=1.0, help="share of each target's cases")
    parser.add_argument("--only", choices=sorted(TARGETS), help="run one target only")
    parser.add_argument("--case", type=int, help="run one case only")
    options = parser.parse_args()
    console, results = Console(width=100), dict[str, FuzzResult]()
    for name, (cases, prepare) in TARGETS.items():
        if options.only in (None, name):
            numbers = range(max(1, round(cases * options.share)))
            if options.case is not None:
                numbers = range(options.case, options.case + 1)
            results[name] = run(prepare, name, numbers, options.seed)
            for failure in results[name].failures[:_MAX_SHOWN_FAILURES]:
                console.print(failure, style="red", markup=False, highlight=False)
    _print_table(results, console)
    return int(any(result.failures for result in results.values()))


if __name__ == "__main__":
    sys.exit(main())
