"""How add, sub and answering grow with the numbers and the word-pieces of a passage."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from bench_arithmetic import SUB, operands
from measure import Row, Work, seconds
from texts import long_text, with_numbers

from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.ranking import answer_candidates
from workings.modules.add import ADD
from workings.network.network import Network
from workings.reader import Reader

NUMBERS = (5, 10, 25, 50, 100, 200)
PIECES = (100, 250, 500, 1000, 2000, 4000)
# A passage with room for all the numbers, so that only they grow.
WORDS = 450
QUESTION = "How many more were there in the first than in the second and the third combined?"


@dataclass(frozen=True)
class Curve:
    """Seconds by size."""

    panel: str
    what: str
    sizes: Sequence[int]
    times: Sequence[float]

    @property
    def exponent(self) -> float:
        """The slope between logarithms over the larger half, where what is fixed counts least."""
        half = len(self.sizes) // 2
        sizes, times = np.log(self.sizes[half:]), np.log(self.times[half:])
        return float(np.polyfit(sizes, times, 1)[0])


def curve(
    panel: str, what: str, sizes: Sequence[int], prepare: Callable[[int], Work], rounds: int
) -> Curve:
    """The median of some rounds at each size; the first, which warms up, is left out."""
    times = []
    for size in sizes:
        work = prepare(size)
        times.append(statistics.median([seconds(work) for _ in range(rounds + 1)][1:]))
    return Curve(panel, what, sizes, times)


def arithmetic(sizes: Sequence[int] = NUMBERS, rounds: int = 15) -> Iterator[Curve]:
    for name, numbers in (("two", 2), ("three", 3)):
        for way, backward in (("forward", False), ("forward and backward", True)):
            prepare = partial(_arithmetic, numbers=numbers, backward=backward)
            yield curve("add and sub", f"{name} numbers, {way}", sizes, prepare, rounds)


def _arithmetic(size: int, *, numbers: int, backward: bool) -> Work:
    first, second = operands(size, grad=backward)

    def work() -> None:
        left = first.combine(second, ADD) if numbers == 3 else second
        found = left.combine(first, SUB)
        if backward:
            found.weights.square().sum().backward()

    return work


def answering(
    net: Network,
    numbers: Sequence[int] = NUMBERS,
    pieces: Sequence[int] = PIECES,
    rounds: int = 3,
) -> Iterator[Curve]:
    """A question answered, and the part of it that comes after the encoder."""
    by_number = partial(with_numbers, words=WORDS)
    by_piece = partial(long_text, tokenizer=net.tokenizer)
    for panel, sizes, write in (
        ("answering, by numbers", numbers, by_number),
        ("answering, by word-pieces", pieces, by_piece),
    ):
        ask, rest = partial(_ask, net, write), partial(_after_encoder, net, write)
        yield curve(panel, "question to explanation", sizes, ask, rounds)
        yield curve(panel, "programmer and interpreter", sizes, rest, rounds)


def _ask(net: Network, write: Callable[[int], str], size: int) -> Work:
    reader, text = Reader(net), write(size)
    return lambda: reader.ask(QUESTION, text)


def _after_encoder(net: Network, write: Callable[[int], str], size: int) -> Work:
    read = PassageInput.read(write(size), net.tokenizer)
    with torch.inference_mode():
        encoding = net.encoder([TokenizedText.cut(QUESTION, net.tokenizer)], [read])
    return torch.inference_mode()(lambda: answer_candidates(net, encoding))


def rows(curves: Sequence[Curve]) -> Iterator[Row]:
    for one in curves:
        last = f"{1000 * one.times[-1]:.3g} ms at {one.sizes[-1]}"
        yield Row(f"{one.panel}: {one.what}", f"n^{one.exponent:.2f}, {last}")


def draw(curves: Sequence[Curve], path: Path) -> None:
    """One panel for each thing that grows, on logarithmic scales."""
    from matplotlib.figure import Figure

    panels = list(dict.fromkeys(one.panel for one in curves))
    figure = Figure(figsize=(4 * len(panels), 3.2), layout="constrained")
    for axes, panel in zip(figure.subplots(1, len(panels)), panels, strict=True):
        for one in (one for one in curves if one.panel == panel):
            label = f"{one.what}, n^{one.exponent:.2f}"
            axes.loglog(one.sizes, [1000 * t for t in one.times], marker="o", label=label)
        axes.set(title=panel, xlabel="word-pieces" if "pieces" in panel else "numbers")
        axes.set_ylabel("milliseconds")
        axes.legend(fontsize=7, frameon=False)
    figure.savefig(path, dpi=90)
