"""Pretraining of the paper's count module on synthetic attentions, without text.

An attention has a number of runs of high weight over low noise, and the module learns to count the
runs. Lengths and noise are those of the original NMNs (Gupta et al. 2020).
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from workings.errors import RecipeError
from workings.modules.count import Count
from workings.network.network import Network
from workings.peers import Model
from workings.progress import ProgressCallback

_LARGEST_COUNT = 7
_PASSAGE_LENGTHS = (100, 600)  # in tokens
_RUN_LENGTHS = (5, 15)  # in tokens
_NOISE = 0.1
_BATCH_SIZE = 64
_LEARNING_RATE = 1e-3
_MAX_GRAD_NORM = 5.0


def paper_count_module(model: Model) -> Count:
    """The count module of a model, if it is the paper's version.

    Raises:
        RecipeError: The model has no count module with ``modules.count = "gru"``.
    """
    if isinstance(model, Network):
        for module in model.interpreter.library.values():
            if isinstance(module, Count) and module.settings.count == "gru":
                return module
    raise RecipeError(
        "Only the paper's count module can be pretrained.",
        hint="Set modules.counter_pretrain_steps=0, or modules.count=gru.",
    )


def pretrain_counter(counter: Count, steps: int, seed: int, on_progress: ProgressCallback) -> None:
    """Train the count module to count the runs of high weight in an attention.

    Args:
        counter: The paper's version of the count module; its weights change in place.
        steps: Optimiser steps, each on a new batch of attentions.
        seed: Random seed of the attentions; the global random state is not used.
        on_progress: Called after each step.
    """
    device = next(counter.parameters()).device
    generator = torch.Generator().manual_seed(seed)
    adam = torch.optim.Adam(counter.parameters(), lr=_LEARNING_RATE)
    for step in range(steps):
        counts = torch.randint(_LARGEST_COUNT + 1, (_BATCH_SIZE,), generator=generator)
        weights, mask = synthetic_attentions(counts, generator)
        estimates = counter.read_attention(weights.to(device), mask.to(device)).sum(-1)
        loss = nn.functional.mse_loss(estimates, counts.to(estimates))
        adam.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(counter.parameters(), _MAX_GRAD_NORM)
        adam.step()
        on_progress("Pretraining count", step + 1, steps)
    adam.zero_grad()


def synthetic_attentions(
    counts: Int[Tensor, " b"], generator: torch.Generator
) -> tuple[Float[Tensor, "b m"], Bool[Tensor, "b m"]]:
    """Draw an attention for each count, with that many runs of high weight.

    Returns:
        The attentions, padded with zeros, and the mask of their tokens.
    """
    rows = [_attention(count, generator) for count in counts.tolist()]
    mask = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True).bool()
    return pad_sequence(rows, batch_first=True), mask


def _attention(count: int, generator: torch.Generator) -> Float[Tensor, " m"]:
    sizes = torch.randint(_RUN_LENGTHS[0], _RUN_LENGTHS[1] + 1, (count,), generator=generator)
    needed = int(sizes.sum()) + count  # one token of noise between neighbours
    shortest = max(_PASSAGE_LENGTHS[0], needed)
    length = int(torch.randint(shortest, _PASSAGE_LENGTHS[1] + 1, (), generator=generator))
    # The other tokens are distributed at random before, between and after the runs.
    gaps = torch.randint(length - needed + 1, (count,), generator=generator).sort().values
    starts = gaps + sizes.cumsum(0) - sizes + torch.arange(count)
    weights = _NOISE * torch.randn(length, generator=generator).abs()
    for start, size in zip(starts.tolist(), sizes.tolist(), strict=True):
        weights[start : start + size] += 1
    return weights / weights.sum()
