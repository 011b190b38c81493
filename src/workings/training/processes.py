"""One process or many: ``accelerate launch`` gives the same steps, shared out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import torch
from torch import nn

from workings.errors import RecipeError

T = TypeVar("T")


class Processes:
    """This process among those that train together; alone, it does everything."""

    def __init__(self) -> None:
        try:
            from accelerate import Accelerator
        except ImportError as error:
            raise RecipeError(
                "Training needs the package accelerate.",
                hint="TrainingRun: pip install 'workings[train]'.",
            ) from error
        # Without being told, it takes processes on CPUs alone for strangers to each other.
        self.accelerator = Accelerator(cpu=not torch.accelerator.is_available())
        self.rank: int = self.accelerator.process_index
        self.world: int = self.accelerator.num_processes
        self.device: torch.device = self.accelerator.device

    @property
    def main(self) -> bool:
        """Whether this process writes to disk."""
        return self.rank == 0

    def share(self, items: Sequence[T]) -> Sequence[T]:
        """This process's part of the work."""
        return items[self.rank :: self.world]

    def add_up(self, parameters: Iterable[nn.Parameter]) -> None:
        """Every process gets the sum of all gradients, in one message."""
        if self.world == 1:
            return
        taught = list(parameters)
        # A parameter some process had no use for still takes part in the sum.
        grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in taught]
        used = torch.tensor([float(p.grad is not None) for p in taught], device=self.device)
        flat = torch.cat([used, *(grad.flatten() for grad in grads)])
        total = self.accelerator.reduce(flat, reduction="sum")
        used, *sums = total.split([len(taught), *(p.numel() for p in taught)])
        for parameter, grad, users in zip(taught, sums, used.tolist(), strict=True):
            # What none had a use for must not be decayed either, as it is not by one process.
            parameter.grad = grad.view_as(parameter).clone() if users else None

    def add_up_parts(self, parts: Mapping[str, float]) -> dict[str, float]:
        """The parts of the loss over all processes."""
        if self.world == 1:
            return dict(parts)
        from accelerate.utils import gather_object

        total: Counter[str] = Counter()
        for theirs in gather_object([parts]):  # a process without a share of the step has none
            total.update(theirs)
        return dict(total)

    def wait(self) -> None:
        self.accelerator.wait_for_everyone()
