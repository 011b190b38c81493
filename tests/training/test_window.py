"""The window loss by hand."""

from math import log

import torch

from workings.training.window import _cost


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
