"""The window loss by hand, and against the same sum written out as loops."""

from math import log

import pytest
import torch

from handmade import PAPER, encode
from workings.ops.grounding import Groundings
from workings.training.window_loss import _cost, window_loss

SPAN = 3
ROWS = [
    ("When?", "In 1990 Ada ran 12 yards and nobody else ran at all until 1995."),
    ("Who?", "Nobody."),
]


def test_a_token_pays_for_what_it_sends_out_of_its_window() -> None:
    # One token with three values: the first near, the others far.
    rows = torch.tensor([[[0.5, 0.3, 0.2]]])
    near = torch.tensor([[[True, False, False]]])
    mask = torch.ones(1, 1, 3, dtype=torch.bool)
    wanted = -log(0.5) + 0.3 * log(0.3) + 0.2 * log(0.2)
    assert torch.isclose(_cost(rows, near, mask), torch.tensor(wanted), atol=1e-5)


def test_tokens_without_a_near_value_pay_nothing() -> None:
    rows = torch.tensor([[[0.5, 0.5], [0.9, 0.1]]])
    near = torch.tensor([[[False, False], [True, False]]])
    mask = torch.ones(1, 1, 2, dtype=torch.bool)
    wanted = -log(0.9) + 0.1 * log(0.1)
    assert torch.isclose(_cost(rows, near, mask), torch.tensor(wanted), atol=1e-5)


def test_no_values_at_all_cost_nothing() -> None:
    none = torch.zeros(1, 2, 0, dtype=torch.bool)
    assert _cost(torch.zeros(1, 2, 0), none, torch.zeros(1, 1, 0, dtype=torch.bool)) == 0


@torch.no_grad()
def slow(groundings: Groundings) -> float:
    encoding, total = encode(ROWS), 0.0
    for mentions, rows in groundings.rows(encoding):
        costs = []
        for row in range(len(encoding)):
            places = [k for k in range(mentions.mask.shape[1]) if mentions.placed[row, k]]
            for token in range(len(encoding.inputs[row])):
                near = [k for k in places if abs(token - int(mentions.first[row, k])) <= SPAN]
                if near:
                    weights = rows[row, token].tolist()
                    far = [weights[k] for k in places if k not in near]
                    inside = -log(sum(weights[k] for k in near) + 1e-8)
                    costs.append(inside + sum(w * log(w + 1e-8) for w in far))
        total += sum(costs) / max(len(costs), 1)
    return total


def test_equals_loops() -> None:
    torch.manual_seed(3)
    groundings = Groundings(4, PAPER).double()
    found = window_loss(groundings, encode(ROWS), SPAN)
    assert found.item() == pytest.approx(slow(groundings))


def test_no_values_cost_nothing_and_break_nothing() -> None:
    groundings = Groundings(4, PAPER).double()
    found = window_loss(groundings, encode(ROWS[1:]), SPAN)
    assert found.item() == 0
    found.backward()
    assert all(p.grad is None or bool(p.grad.isfinite().all()) for p in groundings.parameters())
