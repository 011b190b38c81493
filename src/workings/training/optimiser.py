"""The optimiser: two learning rates, warm-up and decay, clipping, and an average of the weights."""

import torch
from torch import Tensor, nn
from torch.optim import AdamW

from workings.peers import Model
from workings.settings import TrainSettings


def rate_at(step: int, steps: int, settings: TrainSettings) -> float:
    """The share of the peak rate at a step: a linear rise, then a linear fall."""
    warm = max(1, round(settings.warmup * steps))
    if step < warm:
        return (step + 1) / warm
    left = max(0.0, (steps - step) / max(1, steps - warm))
    return settings.final_lr_share + (1 - settings.final_lr_share) * left


# Fresh parameters of so few entries stand for quantities of order one: a preference by distance,
# a share, a cost. At the rate that suits the entries of large matrices they would hardly move.
_FEW = 64


class Optimiser:
    """AdamW over groups: pretrained, new_parameters or new_parameters with few entries, decayed or not."""

    def __init__(self, network: Model, settings: TrainSettings, steps: int) -> None:
        self.settings, self.steps = settings, steps
        new_parameters = {id(parameter) for _, parameter in network.new_parameters()}
        self.named = {n: p for n, p in network.named_parameters() if p.requires_grad}
        groups: dict[tuple[float, float], list[nn.Parameter]] = {}
        for parameter in self.named.values():
            rate = settings.lr_encoder
            if id(parameter) in new_parameters:
                rate = settings.lr_small if parameter.numel() <= _FEW else settings.lr_modules
            decay = settings.weight_decay if parameter.ndim > 1 else 0.0
            groups.setdefault((rate, decay), []).append(parameter)
        self.adam = AdamW(
            [{"params": p, "lr": r, "weight_decay": d} for (r, d), p in groups.items()],
            betas=(0.9, 0.98),
            eps=1e-6,
        )
        self.peaks = [rate for rate, _ in groups]
        self.average = {n: p.detach().clone() for n, p in self.named.items()}

    def step(self, number: int) -> float:
        """One update from the gradients at hand; gives their norm."""
        norm = nn.utils.clip_grad_norm_(self.named.values(), self.settings.max_grad_norm)
        for group, peak in zip(self.adam.param_groups, self.peaks, strict=True):
            group["lr"] = peak * rate_at(number, self.steps, self.settings)
        # A poisoned gradient must not poison the weights.
        if torch.isfinite(norm):
            self.adam.step()
        self.adam.zero_grad()
        self._average(number)
        return float(norm)

    @torch.no_grad()
    def _average(self, number: int) -> None:
        # Early on the average follows closely, so that the first weights are soon forgotten.
        keep = min(self.settings.ema_decay, (1 + number) / (10 + number))
        for name, parameter in self.named.items():
            self.average[name].lerp_(parameter, 1 - keep)

    @torch.no_grad()
    def swap(self) -> None:
        """Exchange the weights and their average; twice is as before."""
        for name, parameter in self.named.items():
            kept = parameter.clone()
            parameter.copy_(self.average[name])
            self.average[name].copy_(kept)

    def tensors(self) -> dict[str, Tensor]:
        """All that is needed to go on, by name."""
        found = {f"average.{name}": tensor for name, tensor in self.average.items()}
        for name, parameter in self.named.items():
            found[f"weight.{name}"] = parameter.detach()
            for key, value in self.adam.state.get(parameter, {}).items():
                found[f"adam.{key}.{name}"] = torch.as_tensor(value)
        return found

    @torch.no_grad()
    def restore(self, tensors: dict[str, Tensor]) -> None:
        for name, parameter in self.named.items():
            parameter.copy_(tensors[f"weight.{name}"])
            self.average[name].copy_(tensors[f"average.{name}"])
            moments = {
                key: tensors[f"adam.{key}.{name}"].to(parameter.device, copy=True)
                for key in ("exp_avg", "exp_avg_sq")
                if f"adam.{key}.{name}" in tensors
            }
            if moments:  # the count of steps stays where Adam looks for it, on the CPU
                steps = tensors[f"adam.step.{name}"].clone()
                self.adam.state[parameter] = {"step": steps, **moments}
