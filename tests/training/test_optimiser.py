"""Rates by hand, and the average of the weights."""

import pytest
import torch

from tiny import tiny_network
from workings.settings import TrainSettings
from workings.training.optimiser import Optimiser, rate_at


@pytest.mark.parametrize(
    ("step", "share"), [(0, 0.1), (9, 1.0), (10, 1.0), (55, 0.5), (100, 0.0), (200, 0.0)]
)
def test_the_rate_rises_then_falls(step: int, share: float) -> None:
    assert rate_at(step, 100, TrainSettings(warmup=0.1)) == pytest.approx(share)


def test_a_cooldown_keeps_some_rate() -> None:
    assert rate_at(100, 100, TrainSettings(warmup=0.1, final_lr_share=0.2)) == pytest.approx(0.2)


def taught() -> Optimiser:
    network = tiny_network().train()
    optimiser = Optimiser(network, TrainSettings(ema_decay=0.9, warmup=0), 10)
    for parameter in optimiser.named.values():
        parameter.grad = torch.ones_like(parameter)
    return optimiser


def test_fresh_weights_move_faster_and_the_average_lags() -> None:
    optimiser = taught()
    before = {name: p.detach().clone() for name, p in optimiser.named.items()}
    optimiser.step(0)
    # Adam's first step is the rate itself, whatever the gradient's size (biases are not decayed).
    encoder = "encoder.embeddings.LayerNorm.bias"
    moved = (before[encoder] - optimiser.named[encoder].detach()).mean()
    assert float(moved) == pytest.approx(TrainSettings().rate_encoder, rel=1e-3)
    new_parameters = "programmer.initial_state.bias"
    moved = (before[new_parameters] - optimiser.named[new_parameters].detach()).mean()
    assert float(moved) == pytest.approx(TrainSettings().rate_modules, rel=1e-3)
    few = "interpreter.groundings.number.distance_bias"
    moved = (before[few] - optimiser.named[few].detach()).mean()
    assert float(moved) == pytest.approx(TrainSettings().rate_few, rel=1e-3)
    # At step 0 the average keeps a tenth of the old weights.
    wanted = 0.1 * before[new_parameters] + 0.9 * optimiser.named[new_parameters]
    assert torch.allclose(optimiser.average[new_parameters], wanted)


def test_swapping_twice_changes_nothing() -> None:
    optimiser = taught()
    optimiser.step(0)
    before = {name: p.detach().clone() for name, p in optimiser.named.items()}
    optimiser.swap()
    assert not torch.equal(
        before["programmer.initial_state.bias"], optimiser.named["programmer.initial_state.bias"]
    )
    optimiser.swap()
    assert all(torch.equal(before[name], p) for name, p in optimiser.named.items())


def test_a_poisoned_gradient_changes_nothing() -> None:
    optimiser = taught()
    before = {name: p.detach().clone() for name, p in optimiser.named.items()}
    next(iter(optimiser.named.values())).grad.fill_(torch.nan)  # type: ignore[union-attr]
    optimiser.step(0)
    assert all(torch.equal(before[name], p) for name, p in optimiser.named.items())
