"""All budgets in one table, and growth curves: `python benchmarks/bench.py [--busy]`.

On a busy machine, --busy measures processor time on one core instead of wall time.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import bench_answer
import bench_arithmetic
import bench_growth
import bench_memory
import bench_network
import bench_start
import bench_sums
from measure import BenchmarkRow, Clock, show
from rich.console import Console
from texts import load_network

PLOT = Path(__file__).parents[1] / "docs" / "pictures" / "speed.png"


def rows() -> Iterator[BenchmarkRow]:
    """Run all benchmarks; the plot of the growth curves is written on the way."""
    network = load_network()
    yield from bench_network.answering(network)
    yield from bench_answer.fast(network)
    yield from bench_network.training(load_network())  # its weights change
    yield from bench_arithmetic.rows()
    yield from bench_sums.rows()
    yield from bench_start.rows()
    yield from bench_memory.rows(bench_memory.Size())
    curves = [*bench_growth.arithmetic(), *bench_growth.answering(network)]
    bench_growth.draw(curves, PLOT)
    yield from bench_growth.rows(curves)


def main() -> None:
    if "--busy" in sys.argv:
        Clock.use_processor_time()
    results = []
    with Console(stderr=True).status("measuring") as status:
        for row in rows():
            status.update(f"measured: {row.name}")
            results.append(row)
    sys.exit(not show(results))


if __name__ == "__main__":
    main()
