"""The paper's recurrent reader of attention weights, used by its count and span modules."""

from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

# Attention weights are small: they are read at several scales.
_SCALES = (1.0, 2.0, 5.0, 10.0)
_WIDTH = 20


class AttentionReader(nn.GRU):
    """A bidirectional GRU over the attention weights of a passage, without its words."""

    width = 2 * _WIDTH

    def __init__(self) -> None:
        super().__init__(len(_SCALES), _WIDTH, num_layers=2, bidirectional=True, batch_first=True)

    def forward(  # type: ignore[override]
        self, weights: Float[Tensor, "b m"], mask: Bool[Tensor, "b m"]
    ) -> Float[Tensor, "b m h"]:
        scaled = weights[..., None] * weights.new_tensor(_SCALES)
        lengths = mask.sum(-1).cpu()
        packed = pack_padded_sequence(scaled, lengths, batch_first=True, enforce_sorted=False)
        states, _ = super().forward(packed)
        padded, _ = pad_packed_sequence(states, batch_first=True, total_length=weights.shape[1])
        return padded
