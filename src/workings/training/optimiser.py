"""AdamW with warm-up, linear decay, gradient clipping and an average of the weights."""

import torch
from torch import Tensor, nn
from torch.optim import AdamW

from workings.peers import Model
from workings.settings import TrainSettings

# New parameters with so few entries are quantities of order one, such as distance biases and
# mixing weights. The learning rate that suits large matrices would hardly move them.
_SMALL = 64


def learning_rate_share(step: int, steps: int, settings: TrainSettings) -> float:
    """The learning rate at a step, as a share of its peak: linear warm-up, then linear decay.

    Args:
        step: The step, counted from 0.
        steps: The number of steps in the run.
        settings: Their ``warmup`` and ``final_lr_share``.
    """
    warmup = max(1, round(settings.warmup * steps))
    if step < warmup:
        return (step + 1) / warmup
    left = max(0.0, (steps - step) / max(1, steps - warmup))
    return settings.final_lr_share + (1 - settings.final_lr_share) * left


class Optimiser:
    """AdamW over the trained parameters of a model, and their exponential moving average.

    Pretrained, new, and small new parameters have learning rates of their own; only matrices have
    weight decay.

    Attributes:
        parameters: The trained parameters, by name.
        ema: The exponential moving average of each parameter, by name.
    """

    def __init__(self, model: Model, settings: TrainSettings, steps: int) -> None:
        self.settings, self.steps = settings, steps
        new_parameters = {id(parameter) for _, parameter in model.new_parameters()}
        self.parameters = {n: p for n, p in model.named_parameters() if p.requires_grad}
        groups: dict[tuple[float, float], list[nn.Parameter]] = {}
        for parameter in self.parameters.values():
            rate = settings.lr_encoder
            if id(parameter) in new_parameters:
                rate = settings.lr_small if parameter.numel() <= _SMALL else settings.lr_modules
            decay = settings.weight_decay if parameter.ndim > 1 else 0.0
            groups.setdefault((rate, decay), []).append(parameter)
        self.adam = AdamW(
            [{"params": p, "lr": r, "weight_decay": d} for (r, d), p in groups.items()],
            betas=(0.9, 0.98),
            eps=1e-6,
        )
        self.peak_rates = [rate for rate, _ in groups]
        self.ema = {name: p.detach().clone() for name, p in self.parameters.items()}

    def step(self, number: int) -> float:
        """Update the weights and their average from the current gradients, and clear these.

        Args:
            number: The step, counted from 0.

        Returns:
            The norm of the gradient before clipping.
        """
        norm = nn.utils.clip_grad_norm_(self.parameters.values(), self.settings.max_grad_norm)
        for group, peak in zip(self.adam.param_groups, self.peak_rates, strict=True):
            group["lr"] = peak * learning_rate_share(number, self.steps, self.settings)
        # An infinite or undefined gradient must not reach the weights.
        if torch.isfinite(norm):
            self.adam.step()
        self.adam.zero_grad()
        self._update_ema(number)
        return float(norm)

    @torch.no_grad()
    def _update_ema(self, number: int) -> None:
        # A lower decay in the first steps, so that the initial weights soon lose their influence.
        decay = min(self.settings.ema_decay, (1 + number) / (10 + number))
        for name, parameter in self.parameters.items():
            self.ema[name].lerp_(parameter, 1 - decay)

    @torch.no_grad()
    def swap_ema(self) -> None:
        """Exchange the weights and their average; a second call restores both."""
        for name, parameter in self.parameters.items():
            weights = parameter.clone()
            parameter.copy_(self.ema[name])
            self.ema[name].copy_(weights)

    def tensors(self) -> dict[str, Tensor]:
        """The state to save in a checkpoint: weights, their average, and Adam's moments."""
        tensors = {f"ema.{name}": tensor for name, tensor in self.ema.items()}
        for name, parameter in self.parameters.items():
            tensors[f"weight.{name}"] = parameter.detach()
            for key, value in self.adam.state.get(parameter, {}).items():
                tensors[f"adam.{key}.{name}"] = torch.as_tensor(value)
        return tensors

    @torch.no_grad()
    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Load the state of a checkpoint.

        Args:
            tensors: What ``tensors`` gave.

        Raises:
            KeyError: A weight or its average is missing.
        """
        for name, parameter in self.parameters.items():
            parameter.copy_(tensors[f"weight.{name}"])
            self.ema[name].copy_(tensors[f"ema.{name}"])
            moments = {
                key: tensors[f"adam.{key}.{name}"].to(parameter.device, copy=True)
                for key in ("exp_avg", "exp_avg_sq")
                if f"adam.{key}.{name}" in tensors
            }
            if moments:  # Adam expects its step count on the CPU
                steps = tensors[f"adam.step.{name}"].clone()
                self.adam.state[parameter] = {"step": steps, **moments}
