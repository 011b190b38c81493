"""Every budget in one table, and how things grow: `python benchmarks/bench.py [--busy]`.

On a machine with other work to do, --busy counts the time one core worked instead of the wall's.
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
from measure import Clock, Row, show
from rich.console import Console
from texts import network

PLOT = Path(__file__).parents[1] / "docs" / "pictures" / "speed.png"


def rows() -> Iterator[Row]:
    net = network()
    yield from bench_network.answering(net)
    yield from bench_answer.fast(net)
    yield from bench_network.training(network())  # whose weights the steps change
    yield from bench_arithmetic.rows()
    yield from bench_start.rows()
    yield from bench_memory.rows(bench_memory.Size())
    curves = [*bench_growth.arithmetic(), *bench_growth.answering(net)]
    bench_growth.draw(curves, PLOT)
    yield from bench_growth.rows(curves)


def main() -> None:
    if "--busy" in sys.argv:
        Clock.count_work()
    found = []
    with Console(stderr=True).status("measuring") as status:
        for row in rows():
            status.update(f"measured: {row.what}")
            found.append(row)
    sys.exit(not show(found))


if __name__ == "__main__":
    main()
