"""How long `workings --help` takes beside the bare interpreter."""

import subprocess
import sys
from collections.abc import Iterator

from measure import Row, ratio


def rows(rounds: int = 9) -> Iterator[Row]:
    found = ratio(lambda: _run("-m", "workings", "--help"), lambda: _run("-c", "pass"), rounds)
    yield Row.at_most("workings --help / bare interpreter", found, 10)


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
