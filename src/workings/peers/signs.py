"""Signed sums: which numbers, added or taken away, come to a known one, and how likely that is."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from workings.encoder.inputs import PassageInput
from workings.values import CONSTANTS

UNUSED, PLUS, MINUS = range(3)  # the labels of a number

Operands = Mapping[int, Fraction]  # the numbers that may be used, by their place among the mentions
Signs = tuple[tuple[int, int], ...]  # place and label of each number used, by place


def operands_of(passage: PassageInput, constants: Sequence[int]) -> Operands:
    """The numbers of a passage, and the constants that are allowed."""
    mentions = [number.value for number in passage.values.numbers]
    allowed = {
        len(mentions) + which: value for which, value in enumerate(CONSTANTS) if value in constants
    }
    return dict(enumerate(mentions)) | allowed


def signed_sum(signs: Signs, operands: Operands) -> Fraction:
    return sum((operands[p] if label == PLUS else -operands[p] for p, label in signs), Fraction(0))


def find_signs(operands: Operands, target: Fraction, most: int) -> Iterator[Signs]:
    """Every way to the target with at most so many numbers, each once, the shortest first.

    A zero adds nothing, so it stands alone or not at all: x, x + 0 and x - 0 are one way.
    """
    unit = lcm(target.denominator, *(value.denominator for value in operands.values()))
    scaled = {place: int(value * unit) for place, value in operands.items()}
    if not target:
        yield from (((place, PLUS),) for place, value in scaled.items() if not value)
    search = _Search([(place, value) for place, value in scaled.items() if value])
    for size in range(1, most + 1):
        yield from search.of_size(size, int(target * unit))


class _Search:
    """Sums of a given size; the last number is looked up, not tried."""

    def __init__(self, terms: Sequence[tuple[int, int]]) -> None:
        self.terms = terms
        self.last: dict[int, list[tuple[int, int]]] = {}
        for index, (_, value) in enumerate(terms):
            self.last.setdefault(value, []).append((index, PLUS))
            self.last.setdefault(-value, []).append((index, MINUS))

    def of_size(self, size: int, rest: int, start: int = 0) -> Iterator[Signs]:
        if size == 1:
            for index, label in self.last.get(rest, ()):
                if index >= start:
                    yield ((self.terms[index][0], label),)
            return
        for index in range(start, len(self.terms)):
            place, value = self.terms[index]
            for label, signed in ((PLUS, value), (MINUS, -value)):
                for others in self.of_size(size - 1, rest - signed, index + 1):
                    yield ((place, label), *others)


def signs_log_likelihood(
    labels: Float[Tensor, "b k 3"], mask: Bool[Tensor, "b k"], known: Sequence[Sequence[Signs]]
) -> Float[Tensor, " b"]:
    """log of the total probability of each row's ways; a number that a way leaves out is unused."""
    unused = (labels[..., UNUSED] * mask).sum(-1, keepdim=True)
    # Using a number instead of leaving it costs or gains this much; the blank at the end, nothing.
    odds = torch.cat([(labels - labels[..., :1]).flatten(1), unused.new_zeros(len(labels), 1)], 1)
    blank, width = odds.shape[1] - 1, max(1, *map(len, known))
    size = max((len(signs) for ways in known for signs in ways), default=1)

    def row(signs: Signs) -> list[int]:
        used = [3 * place + label for place, label in signs]
        return used + [blank] * (size - len(used))

    index = torch.tensor([[*map(row, ways), *[row(())] * (width - len(ways))] for ways in known])
    real = torch.tensor([[place < len(ways) for place in range(width)] for ways in known])
    index, real = index.to(odds.device), real.to(odds.device)
    joint = unused + odds.gather(1, index.flatten(1)).view(index.shape).sum(-1)
    return torch.logsumexp(joint.masked_fill(~real, -1e4), -1)


def best_signs(labels: Float[Tensor, "k 3"], operands: Operands) -> tuple[Signs, float]:
    """The likeliest way that uses any number at all, and its log-probability."""
    places = list(operands)
    rows = labels[places]
    score, chosen = rows.max(-1)
    if not bool(chosen.any()):
        odds = rows[:, 1:] - rows[:, :1]
        place, sign = divmod(int(odds.argmax()), 2)
        chosen[place] = sign + 1
        score[place] = rows[place, sign + 1]
    used = [(p, label) for p, label in zip(places, chosen.tolist(), strict=True) if label]
    return tuple(used), float(score.sum())
