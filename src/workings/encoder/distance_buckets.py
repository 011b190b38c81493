"""Buckets of signed distance: exact near zero, doubling in size with distance."""

import torch
from jaxtyping import Int
from torch import Tensor

_BUCKETS = 12
DISTANCES = 2 * _BUCKETS + 1


def bucket(distance: Int[Tensor, "*s"]) -> Int[Tensor, "*s"]:
    """The bucket of each distance: 0, ±1, ±2, ±3–4, ±5–8, …"""
    return torch.bucketize(distance, edges(distance.device), right=True)


def edges(device: torch.device) -> Int[Tensor, " e"]:
    """The smallest distance of every bucket but the first."""
    doubled = [1 << power for power in range(_BUCKETS - 1)]
    after = [1, *(step + 1 for step in doubled)]
    return torch.tensor([*(-step for step in reversed(doubled)), 0, *after], device=device)
