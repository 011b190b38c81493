"""How long `workings --help` takes beside the bare interpreter."""

import subprocess
import sys
from time import perf_counter

ROUNDS = 15
BUDGET = 10


def best_of(*arguments: str) -> float:
    """The shortest of several runs, in seconds: noise only ever adds."""
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(perf_counter() - start)
    return min(times)


def main() -> None:
    ratio = best_of("-m", "workings", "--help") / best_of("-c", "pass")
    sys.stdout.write(f"workings --help / bare interpreter: {ratio:.1f} (budget {BUDGET})\n")
    sys.exit(ratio > BUDGET)


if __name__ == "__main__":
    main()
