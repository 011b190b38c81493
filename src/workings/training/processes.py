"""Training in several processes: ``accelerate launch`` takes the same steps as one process."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import torch
from torch import nn

from workings.errors import RecipeError

T = TypeVar("T")


class Processes:
    """This process and the others that train with it.

    Attributes:
        rank: Index of this process.
        world_size: Number of processes; 1 without ``accelerate launch``.
        device: Device of this process.

    Raises:
        RecipeError: The package accelerate is not installed.
    """

    def __init__(self) -> None:
        try:
            from accelerate import Accelerator
        except ImportError as error:
            raise RecipeError(
                "Training needs the package accelerate.",
                hint="Run: pip install 'workings[train]'.",
            ) from error
        # Without the flag, accelerate does not connect processes that have no GPU.
        self.accelerator = Accelerator(cpu=not torch.accelerator.is_available())
        self.rank: int = self.accelerator.process_index
        self.world_size: int = self.accelerator.num_processes
        self.device: torch.device = self.accelerator.device

    @property
    def is_main(self) -> bool:
        """Whether this process writes to disk."""
        return self.rank == 0

    def shard(self, items: Sequence[T]) -> Sequence[T]:
        """The items that this process works on."""
        return items[self.rank :: self.world_size]

    def sum_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace each gradient by its sum over all processes, in one message."""
        if self.world_size == 1:
            return
        trained = list(parameters)
        # A parameter without a gradient in this process contributes zeros to the sum.
        grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in trained]
        has_grad = torch.tensor([float(p.grad is not None) for p in trained], device=self.device)
        flat = torch.cat([has_grad, *(grad.flatten() for grad in grads)])
        total = self.accelerator.reduce(flat, reduction="sum")
        has_grad, *sums = total.split([len(trained), *(p.numel() for p in trained)])
        for parameter, grad, count in zip(trained, sums, has_grad.tolist(), strict=True):
            # Without a gradient in any process there is no weight decay either, as in one process.
            parameter.grad = grad.view_as(parameter).clone() if count else None

    def sum_loss_parts(self, parts: Mapping[str, float]) -> dict[str, float]:
        """The sum of each part of the loss over all processes."""
        if self.world_size == 1:
            return dict(parts)
        from accelerate.utils import gather_object

        total: Counter[str] = Counter()
        for process_parts in gather_object([parts]):  # empty for a process without a group
            total.update(process_parts)
        return dict(total)

    def wait(self) -> None:
        """Wait until all processes have come to this call."""
        self.accelerator.wait_for_everyone()
