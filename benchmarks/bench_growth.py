"""Growth of arithmetic and answering with the numbers and tokens of a passage."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from bench_arithmetic import operands
from measure import BenchmarkRow, Work, seconds
from texts import long_text, text_with_numbers

from workings.arithmetic.operation import ADDITION, SUBTRACTION
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.inference.ranking import answer_candidates
from workings.network.network import Network
from workings.reader import Reader

NUMBERS = (5, 10, 25, 50, 100, 200)
TOKENS = (100, 250, 500, 1000, 2000, 4000)
# A length that has room for all the numbers, so that only their count grows.
WORDS = 450
# The largest exponent of the programmer's and the interpreter's time by tokens (docs/speed.md).
MAX_EXPONENT = 1.2
BY_TOKENS, AFTER_ENCODER = "answering, by tokens", "programmer and interpreter"
QUESTION = "How many more were there in the first than in the second and the third combined?"


@dataclass(frozen=True)
class Curve:
    """Times in seconds by size, for one panel of the plot."""

    panel: str
    name: str
    sizes: Sequence[int]
    times: Sequence[float]

    @property
    def exponent(self) -> float:
        """The slope on logarithmic scales over the larger half, where fixed costs matter least."""
        half = len(self.sizes) // 2
        sizes, times = np.log(self.sizes[half:]), np.log(self.times[half:])
        return float(np.polyfit(sizes, times, 1)[0])


def curve(
    panel: str, name: str, sizes: Sequence[int], prepare: Callable[[int], Work], rounds: int
) -> Curve:
    """Measure the median time at each size, after one round of warm-up."""
    times = []
    for size in sizes:
        work = prepare(size)
        times.append(statistics.median([seconds(work) for _ in range(rounds + 1)][1:]))
    return Curve(panel, name, sizes, times)


def arithmetic(sizes: Sequence[int] = NUMBERS, rounds: int = 15) -> Iterator[Curve]:
    """Curves of two and three numbers, with and without the backward pass."""
    for word, numbers in (("two", 2), ("three", 3)):
        for direction, backward in (("forward", False), ("forward and backward", True)):
            prepare = partial(_combine, numbers=numbers, backward=backward)
            yield curve("add and sub", f"{word} numbers, {direction}", sizes, prepare, rounds)


def _combine(size: int, *, numbers: int, backward: bool) -> Work:
    first, second = operands(size, grad=backward)

    def work() -> None:
        left = first.combine(second, ADDITION) if numbers == 3 else second
        result = left.combine(first, SUBTRACTION)
        if backward:
            result.weights.square().sum().backward()

    return work


def answering(
    network: Network,
    numbers: Sequence[int] = NUMBERS,
    tokens: Sequence[int] = TOKENS,
    rounds: int = 3,
) -> Iterator[Curve]:
    """Curves of answering one question, and of its part after the encoder."""
    by_number = partial(text_with_numbers, words=WORDS)
    by_token = partial(long_text, tokenizer=network.tokenizer)
    for panel, sizes, write in (
        ("answering, by numbers", numbers, by_number),
        (BY_TOKENS, tokens, by_token),
    ):
        ask, rest = partial(_ask, network, write), partial(_after_encoder, network, write)
        yield curve(panel, "question to explanation", sizes, ask, rounds)
        yield curve(panel, AFTER_ENCODER, sizes, rest, rounds)


def _ask(network: Network, write: Callable[[int], str], size: int) -> Work:
    reader, text = Reader(network), write(size)
    return lambda: reader.ask(QUESTION, text)


def _after_encoder(network: Network, write: Callable[[int], str], size: int) -> Work:
    passage = PassageInput.from_text(write(size), network.tokenizer)
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    with torch.inference_mode():
        encoding = network.encoder([question], [passage])
    return torch.inference_mode()(lambda: answer_candidates(network, encoding))


def rows(curves: Sequence[Curve]) -> Iterator[BenchmarkRow]:
    """The exponent of each curve and the time at its largest size."""
    for each in curves:
        largest = f"{1000 * each.times[-1]:.3g} ms at {each.sizes[-1]}"
        bounded = (each.panel, each.name) == (BY_TOKENS, AFTER_ENCODER)
        yield BenchmarkRow(
            f"{each.panel}: {each.name}",
            f"n^{each.exponent:.2f}, {largest}",
            f"≤ n^{MAX_EXPONENT}" if bounded else "",
            each.exponent <= MAX_EXPONENT or not bounded,
        )


def draw(curves: Sequence[Curve], path: Path) -> None:
    """Plot the curves on logarithmic scales, one panel for each kind of size."""
    from matplotlib.figure import Figure

    panels = list(dict.fromkeys(each.panel for each in curves))
    figure = Figure(figsize=(4 * len(panels), 3.2), layout="constrained")
    for axes, panel in zip(figure.subplots(1, len(panels)), panels, strict=True):
        for each in curves:
            if each.panel == panel:
                label = f"{each.name}, n^{each.exponent:.2f}"
                axes.loglog(each.sizes, [1000 * t for t in each.times], marker="o", label=label)
        axes.set(title=panel, xlabel="tokens" if "tokens" in panel else "numbers")
        axes.set_ylabel("milliseconds")
        axes.legend(fontsize=7, frameon=False)
    figure.savefig(path, dpi=90)
