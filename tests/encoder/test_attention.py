"""Attention in bfloat16 against the same sums in double precision, row by row."""

import math

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from workings.encoder import attention
from workings.encoder.attention import attend

ROWS, HEADS, PIECES, WIDTH = 3, 2, 5, 4
LAYER = nn.Identity().eval()
# What rounding to eight bits may do to weights, values and their products.
NEAR = {"atol": 0.03, "rtol": 0.03}


def drawn(dtype: torch.dtype, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values whose numbers bfloat16 holds exactly."""
    draw = torch.Generator().manual_seed(seed)
    made = torch.randint(-8, 9, (3, ROWS, HEADS, PIECES, WIDTH), generator=draw) / 4
    query, key, value = made.to(dtype).unbind()
    return query, key, value


def by_hand(bias: Tensor, scaling: float) -> Tensor:
    """One query after the other, in double precision."""
    query, key, value = drawn(torch.double)
    found = torch.zeros(ROWS, PIECES, HEADS, WIDTH, dtype=torch.double)
    for row in range(ROWS):
        for head in range(HEADS):
            for piece in range(PIECES):
                scores = [
                    math.exp(
                        float(query[row, head, piece] @ key[row, head, other]) * scaling
                        + float(bias[row, head, piece, other])
                    )
                    for other in range(PIECES)
                ]
                for other, score in enumerate(scores):
                    found[row, piece, head] += score / sum(scores) * value[row, head, other]
    return found


def masked() -> tuple[Tensor, Tensor]:
    """A mask of truth values over the pieces of each row, and what it adds."""
    mask = torch.arange(PIECES) < torch.tensor([5, 2, 4])[:, None]
    mask = mask[:, None, None, :]
    return mask, torch.where(mask, 0.0, -math.inf).expand(ROWS, HEADS, PIECES, PIECES)


def preferring() -> tuple[Tensor, Tensor]:
    """A preference for what is near, the same for every row."""
    place = torch.arange(PIECES)
    liking = -(place[:, None] - place).abs().float().expand(1, HEADS, PIECES, PIECES)
    return liking, liking.expand(ROWS, -1, -1, -1)


@pytest.mark.parametrize("together", [1, 2 * HEADS * PIECES * PIECES, 10_000])
@pytest.mark.parametrize("kind", [None, masked, preferring])
def test_bfloat16_is_the_attention_of_double_precision(
    kind: object, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention, "_SCORES", together)
    mask, bias = kind() if callable(kind) else (None, torch.zeros(ROWS, HEADS, PIECES, PIECES))
    for scaling in (None, 0.25):
        found, _ = attend(LAYER, *drawn(torch.bfloat16), mask, scaling=scaling)
        assert found.dtype == torch.bfloat16
        expected = by_hand(bias, scaling or WIDTH**-0.5)
        torch.testing.assert_close(found.double(), expected, **NEAR)


def test_other_numbers_take_the_fused_way() -> None:
    mask, _ = masked()
    query, key, value = drawn(torch.float)
    found, _ = attend(LAYER, query, key, value, mask)
    fused = functional.scaled_dot_product_attention(query, key, value, mask)
    assert torch.equal(found, fused.transpose(1, 2))


def test_gradients_of_bfloat16_are_those_of_the_fused_way() -> None:
    mask, _ = masked()
    taught = []
    for dtype in (torch.bfloat16, torch.float):
        parts = [part.requires_grad_() for part in drawn(dtype)]
        found, _ = attend(LAYER, *parts, mask)
        found.float().square().sum().backward()
        taught.append([part.grad for part in parts])
    for rounded, whole in zip(*taught, strict=True):
        assert rounded is not None and whole is not None
        torch.testing.assert_close(rounded.float(), whole, atol=0.1, rtol=0.05)


def test_dropout_drops_in_training_alone() -> None:
    parts = drawn(torch.bfloat16)
    still, _ = attend(LAYER, *parts, None)
    assert torch.equal(attend(LAYER, *parts, None, dropout=0.5)[0], still)
    assert not torch.equal(attend(nn.Identity().train(), *parts, None, dropout=0.5)[0], still)
