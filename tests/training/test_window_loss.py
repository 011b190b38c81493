"""The window loss by hand, and against loops over tokens and mentions."""

from math import log

import pytest
import torch

from handmade import PAPER, encode
from workings.ops.grounding import Groundings
from workings.training.window_loss import _loss, window_loss

WINDOW = 3
ROWS = [
    ("When?", "In 1990 Ada ran 12 yards and nobody else ran at all until 1995."),
    ("Who?", "Nobody."),
]


def test_weight_outside_the_window_is_penalised() -> None:
    # One token and three values: the first is near, the others are not.
    rows = torch.tensor([[[0.5, 0.3, 0.2]]])
    near = torch.tensor([[[True, False, False]]])
    mask = torch.ones(1, 1, 3, dtype=torch.bool)
    expected = -log(0.5) + 0.3 * log(0.3) + 0.2 * log(0.2)
    assert torch.isclose(_loss(rows, near, mask), torch.tensor(expected), atol=1e-5)


def test_ignores_tokens_without_a_value_near() -> None:
    rows = torch.tensor([[[0.5, 0.5], [0.9, 0.1]]])
    near = torch.tensor([[[False, False], [True, False]]])
    mask = torch.ones(1, 1, 2, dtype=torch.bool)
    expected = -log(0.9) + 0.1 * log(0.1)
    assert torch.isclose(_loss(rows, near, mask), torch.tensor(expected), atol=1e-5)


def test_is_zero_without_values() -> None:
    near = torch.zeros(1, 2, 0, dtype=torch.bool)
    assert _loss(torch.zeros(1, 2, 0), near, torch.zeros(1, 1, 0, dtype=torch.bool)) == 0


@torch.no_grad()
def slow(groundings: Groundings) -> float:
    encoding, total = encode(ROWS), 0.0
    for mentions, rows in groundings.rows(encoding):
        losses = []
        for row in range(len(encoding)):
            placed = [k for k in range(mentions.mask.shape[1]) if mentions.placed[row, k]]
            for token in range(len(encoding.inputs[row])):
                near = [k for k in placed if abs(token - int(mentions.first[row, k])) <= WINDOW]
                if near:
                    weights = rows[row, token].tolist()
                    far = [weights[k] for k in placed if k not in near]
                    inside = -log(sum(weights[k] for k in near) + 1e-8)
                    losses.append(inside + sum(w * log(w + 1e-8) for w in far))
        total += sum(losses) / max(len(losses), 1)
    return total


def test_equals_loops() -> None:
    torch.manual_seed(3)
    groundings = Groundings(4, PAPER).double()
    loss = window_loss(groundings, encode(ROWS), WINDOW)
    assert loss.item() == pytest.approx(slow(groundings))


def test_is_zero_with_finite_gradients_for_a_passage_without_values() -> None:
    groundings = Groundings(4, PAPER).double()
    loss = window_loss(groundings, encode(ROWS[1:]), WINDOW)
    assert loss.item() == 0
    loss.backward()
    assert all(p.grad is None or bool(p.grad.isfinite().all()) for p in groundings.parameters())
