"""Practice for the paper's counter: it learns to count shaded_excerpts of made attentions, without text.

Lengths, shaded_excerpts and noise are those of the original NMNs (Gupta et al. 2020).
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

_MOST = 7
_WORDS = (100, 600)
_STRETCH = (5, 15)
_NOISE = 0.1
_BATCH = 64
_RATE = 1e-3
_CLIP = 5.0


def counter_of(model: Model) -> Count:
    """The paper's counter of a model that has it."""
    if isinstance(model, Network):
        found = model.interpreter.library["count"]
        if isinstance(found, Count) and found.settings.count == "gru":
            return found
    hint = "Set modules.counter_pretrain_steps=0, or modules.count=gru."
    raise RecipeError("Only the paper's counter can pretrain_counter.", hint=hint)


def pretrain_counter(counter: Count, steps: int, seed: int, watch: ProgressCallback) -> None:
    """Teach the counter to see how many shaded_excerpts an attention has; the same for the same seed."""
    device = next(counter.parameters()).device
    draw = torch.Generator().manual_seed(seed)
    adam = torch.optim.Adam(counter.parameters(), lr=_RATE)
    for step in range(steps):
        counts = torch.randint(_MOST + 1, (_BATCH,), generator=draw)
        weights, mask = attentions(counts, draw)
        estimates = counter.by_weights(weights.to(device), mask.to(device)).sum(-1)
        loss = nn.functional.mse_loss(estimates, counts.to(estimates))
        adam.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(counter.parameters(), _CLIP)
        adam.step()
        watch("Practising", step + 1, steps)
    adam.zero_grad()


def attentions(
    counts: Int[Tensor, " b"], draw: torch.Generator
) -> tuple[Float[Tensor, "b m"], Bool[Tensor, "b m"]]:
    """For each count an attention with as many shaded_excerpts, and a mask of its words."""
    rows = [_attention(count, draw) for count in counts.tolist()]
    mask = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True).bool()
    return pad_sequence(rows, batch_first=True), mask


def _attention(count: int, draw: torch.Generator) -> Float[Tensor, " m"]:
    sizes = torch.randint(_STRETCH[0], _STRETCH[1] + 1, (count,), generator=draw)
    needed = int(sizes.sum()) + count  # neighbours are a word apart
    words = int(torch.randint(max(_WORDS[0], needed), _WORDS[1] + 1, (), generator=draw))
    # What is left of the words is shared out at random before, between and after the shaded_excerpts.
    gaps = torch.randint(words - needed + 1, (count,), generator=draw).sort().values
    begins = gaps + sizes.cumsum(0) - sizes + torch.arange(count)
    weights = _NOISE * torch.randn(words, generator=draw).abs()
    for begin, size in zip(begins.tolist(), sizes.tolist(), strict=True):
        weights[begin : begin + size] += 1
    return weights / weights.sum()
