"""HeadDistanceBias: how far each head of a transformer from scratch looks."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from workings.encoder.distance_buckets import DISTANCES, bucket


class HeadDistanceBias(nn.Module):
    """A preference of each head by distance, learned for each layer.

    From places alone it takes a transformer long to learn what is near. Heads begin with a liking
    for what is near, some a strong one and some a weak one; between the two texts of a joint
    reading there is no distance, but a preference of its own.
    """

    def __init__(self, layers: int, heads: int) -> None:
        super().__init__()
        away = (torch.arange(DISTANCES) - DISTANCES // 2).abs()
        slopes = 0.5 ** torch.arange(heads)
        self.within = nn.Parameter((-slopes[:, None] * away).repeat(layers, 1, 1))
        self.across = nn.Parameter(torch.zeros(layers, heads))

    def forward(
        self, layer: int, mask: Bool[Tensor, "r t"], heads: Sequence[int] = ()
    ) -> Float[Tensor, "r h t t"]:
        """What is added to the scores of attention; ``heads`` are the lengths of first texts."""
        place = torch.arange(mask.shape[1], device=mask.device)
        liking = self.within[layer][:, bucket(place[:, None] - place)][None]
        if heads:
            second = place >= torch.tensor(heads, device=mask.device)[:, None]
            apart = second[:, None, :, None] != second[:, None, None, :]
            liking = torch.where(apart, self.across[layer][:, None, None], liking)
        return liking.masked_fill(~mask[:, None, None, :], torch.finfo(liking.dtype).min)
