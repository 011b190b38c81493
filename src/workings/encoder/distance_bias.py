"""A learned position bias for the attention heads of encoders trained from scratch."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from workings.encoder.distance_buckets import DISTANCES, bucket


class HeadDistanceBias(nn.Module):
    """A learned bias by distance for each layer and head.

    Position embeddings alone take long to learn locality. Heads start with a preference for near
    tokens, strong in some and weak in others. Between question and passage there is no distance;
    such pairs have a bias of their own.
    """

    def __init__(self, layers: int, heads: int) -> None:
        super().__init__()
        distance = (torch.arange(DISTANCES) - DISTANCES // 2).abs()
        slopes = 0.5 ** torch.arange(heads)
        self.within = nn.Parameter((-slopes[:, None] * distance).repeat(layers, 1, 1))
        self.across = nn.Parameter(torch.zeros(layers, heads))

    def forward(
        self, layer: int, mask: Bool[Tensor, "r t"], question_lengths: Sequence[int] = ()
    ) -> Float[Tensor, "r h t t"]:
        """The bias to add to the attention scores of a layer.

        Args:
            layer: The layer.
            mask: Which tokens are real.
            question_lengths: Number of question tokens of each row; empty if rows hold one text.
        """
        position = torch.arange(mask.shape[1], device=mask.device)
        bias = self.within[layer][:, bucket(position[:, None] - position)][None]
        if question_lengths:
            in_passage = position >= torch.tensor(question_lengths, device=mask.device)[:, None]
            crosses = in_passage[:, None, :, None] != in_passage[:, None, None, :]
            bias = torch.where(crosses, self.across[layer][:, None, None], bias)
        return bias.masked_fill(~mask[:, None, None, :], torch.finfo(bias.dtype).min)
