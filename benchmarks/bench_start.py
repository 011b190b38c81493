"""Start-up: `workings --help` against an empty program, a first answer against `import torch`."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import torch
from measure import BenchmarkRow, Clock, ratio, show

PASSAGE = "The club sold 24 shirts in May and 31 in June."
QUESTION = "How many shirts did the club sell in May and June?"


def rows(rounds: int = 9, model: Path | None = None) -> Iterator[BenchmarkRow]:
    """Measure whole processes.

    Args:
        rounds: Rounds of each measurement.
        model: The model folder that answers; by default the shipped one.
    """
    start = ratio(
        lambda: _python("-m", "workings", "--help"), lambda: _python("-c", "pass"), rounds
    )
    yield BenchmarkRow.at_most("workings --help / bare interpreter", start, 10)
    with tempfile.TemporaryDirectory() as folder:
        passage = Path(folder) / "passage.txt"
        passage.write_text(PASSAGE)
        ask = ["-m", "workings", "ask", QUESTION, "--passage", str(passage)]
        ask += ["--model", str(model)] if model else []
        answer = ratio(lambda: _python(*ask), lambda: _python("-c", "import torch"), rounds)
    yield BenchmarkRow.at_most("workings ask, cold / import torch", answer, 2)


def _python(*arguments: str) -> None:
    # As many threads as here: processor time is measured with one.
    environment = os.environ | {"OMP_NUM_THREADS": str(torch.get_num_threads())}
    command = [sys.executable, *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)


def main() -> None:
    if "--busy" in sys.argv:
        Clock.use_processor_time()
    sys.exit(not show(list(rows())))


if __name__ == "__main__":
    main()
