"""Signed sums of numbers: search for a known value, likelihood, and decoding."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from workings.arithmetic.signed_sums import EITHER, signed_sums
from workings.encoder.inputs import PassageInput
from workings.values import CONSTANTS

UNUSED, PLUS, MINUS = range(3)  # labels of a number

Operands = Mapping[int, Fraction]  # values of the usable numbers, by index among the mentions
SignedTerms = tuple[tuple[int, int], ...]  # index and label of each number used, in ascending order


def operands_of(passage: PassageInput, constants: Sequence[int]) -> Operands:
    """The numbers of a passage and the allowed constants, by index among the mentions."""
    mentions = [number.value for number in passage.values.numbers]
    allowed = {
        len(mentions) + index: value for index, value in enumerate(CONSTANTS) if value in constants
    }
    return dict(enumerate(mentions)) | allowed


def signed_sum(signs: SignedTerms, operands: Operands) -> Fraction:
    """The value of a signed sum."""
    terms = (operands[index] if label == PLUS else -operands[index] for index, label in signs)
    return sum(terms, Fraction(0))


def find_signs(operands: Operands, target: Fraction, max_terms: int) -> Iterator[SignedTerms]:
    """Find the signed sums that equal a target, the shortest first.

    Args:
        operands: The numbers to choose from. Each is used at most once, and a zero only alone:
            x, x + 0 and x - 0 are the same sum.
        target: The value of the sum.
        max_terms: Maximum number of terms.
    """
    if not target:
        yield from (((index, PLUS),) for index, value in operands.items() if not value)
    indices = [index for index, value in operands.items() if value]
    values = [operands[index] for index in indices]
    for size in range(1, max_terms + 1):
        for terms in signed_sums(values, target, [EITHER] * size):
            yield tuple((indices[term], PLUS if sign > 0 else MINUS) for term, sign in terms)


def signs_log_likelihood(
    labels: Float[Tensor, "b k 3"], mask: Bool[Tensor, "b k"], sums: Sequence[Sequence[SignedTerms]]
) -> Float[Tensor, " b"]:
    """Compute the log of the total probability of each row's signed sums.

    Args:
        labels: Log-probabilities of the labels of each number.
        mask: Numbers that may be used.
        sums: The signed sums of each row; the numbers a sum leaves out have the label unused.
    """
    unused = (labels[..., UNUSED] * mask).sum(-1, keepdim=True)
    # The log-odds of using a number; a column of zeros pads the shorter sums.
    odds = torch.cat([(labels - labels[..., :1]).flatten(1), unused.new_zeros(len(labels), 1)], 1)
    padding, width = odds.shape[1] - 1, max(1, *map(len, sums))
    size = max((len(signs) for row in sums for signs in row), default=1)

    def columns(signs: SignedTerms) -> list[int]:
        used = [3 * index + label for index, label in signs]
        return used + [padding] * (size - len(used))

    index = torch.tensor(
        [[*map(columns, row), *[columns(())] * (width - len(row))] for row in sums]
    )
    exists = torch.tensor([[column < len(row) for column in range(width)] for row in sums])
    index, exists = index.to(odds.device), exists.to(odds.device)
    joint = unused + odds.gather(1, index.flatten(1)).view(index.shape).sum(-1)
    return torch.logsumexp(joint.masked_fill(~exists, -1e4), -1)


def best_signs(labels: Float[Tensor, "k 3"], operands: Operands) -> tuple[SignedTerms, float]:
    """Find the likeliest signed sum that uses at least one number.

    Args:
        labels: Log-probabilities of the labels of each number.
        operands: The numbers that may be used; at least one.

    Returns:
        The sum and its log-probability.
    """
    indices = list(operands)
    rows = labels[indices]
    score, chosen = rows.max(-1)
    if not bool(chosen.any()):
        odds = rows[:, 1:] - rows[:, :1]
        position, sign = divmod(int(odds.argmax()), 2)
        chosen[position] = sign + 1
        score[position] = rows[position, sign + 1]
    used = [(index, label) for index, label in zip(indices, chosen.tolist(), strict=True) if label]
    return tuple(used), float(score.sum())
