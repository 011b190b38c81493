"""Learning rates by hand, and the moving average of the weights."""

import pytest
import torch

from tiny import tiny_network
from workings.settings import TrainSettings
from workings.training.optimiser import Optimiser, learning_rate_share


@pytest.mark.parametrize(
    ("step", "share"), [(0, 0.1), (9, 1.0), (10, 1.0), (55, 0.5), (100, 0.0), (200, 0.0)]
)
def test_learning_rate_rises_then_falls(step: int, share: float) -> None:
    assert learning_rate_share(step, 100, TrainSettings(warmup=0.1)) == pytest.approx(share)


def test_learning_rate_ends_at_its_final_share() -> None:
    settings = TrainSettings(warmup=0.1, final_lr_share=0.2)
    assert learning_rate_share(100, 100, settings) == pytest.approx(0.2)


def optimiser_with_gradients() -> Optimiser:
    network = tiny_network().train()
    optimiser = Optimiser(network, TrainSettings(ema_decay=0.9, warmup=0), 10)
    for parameter in optimiser.parameters.values():
        parameter.grad = torch.ones_like(parameter)
    return optimiser


def weights(optimiser: Optimiser) -> dict[str, torch.Tensor]:
    return {name: p.detach().clone() for name, p in optimiser.parameters.items()}


def test_learning_rates_by_kind_of_parameter_and_average() -> None:
    optimiser = optimiser_with_gradients()
    before = weights(optimiser)
    optimiser.step(0)
    after, settings = weights(optimiser), TrainSettings()
    # Adam's first step is the learning rate, whatever the gradient; biases have no decay.
    for name, rate in {
        "encoder.embeddings.LayerNorm.bias": settings.lr_encoder,
        "programmer.initial_state.bias": settings.lr_modules,
        "interpreter.groundings.number.distance_bias": settings.lr_small,
    }.items():
        assert float((before[name] - after[name]).mean()) == pytest.approx(rate, rel=1e-3)
    # At step 0 the average keeps a tenth of the initial weights.
    name = "programmer.initial_state.bias"
    assert torch.allclose(optimiser.ema[name], 0.1 * before[name] + 0.9 * after[name])


def test_swapping_twice_restores_weights_and_average() -> None:
    optimiser = optimiser_with_gradients()
    optimiser.step(0)
    before, name = weights(optimiser), "programmer.initial_state.bias"
    average = optimiser.ema[name].clone()
    optimiser.swap_ema()
    assert torch.equal(optimiser.parameters[name], average)
    assert not torch.equal(before[name], average)
    optimiser.swap_ema()
    assert all(torch.equal(before[name], p) for name, p in optimiser.parameters.items())
    assert torch.equal(optimiser.ema[name], average)


def test_skips_steps_with_undefined_gradients() -> None:
    optimiser = optimiser_with_gradients()
    before = weights(optimiser)
    next(iter(optimiser.parameters.values())).grad.fill_(torch.nan)  # type: ignore[union-attr]
    optimiser.step(0)
    assert all(torch.equal(before[name], p) for name, p in optimiser.parameters.items())
