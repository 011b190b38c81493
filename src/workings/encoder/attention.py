"""Attention as the transformer's layers call it, by whichever way is fastest where it runs."""

from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional
from transformers import AttentionInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward

ATTENTION = "workings"
# Scores worked out at once: few enough to stay in the processor's cache.
_SCORES = 4_000_000


def attend(
    module: nn.Module,
    query: Float[Tensor, "r h t d"],
    key: Float[Tensor, "r h t d"],
    value: Float[Tensor, "r h t d"],
    attention_mask: Bool[Tensor, "#r #h #t t"] | Float[Tensor, "#r #h #t t"] | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    **others: Any,
) -> tuple[Float[Tensor, "r t h d"], None]:
    """Fused attention, but on a CPU in bfloat16: its fused kernel has no use for the processor's
    bfloat16 products, and takes three times as long as they do."""
    if query.device.type != "cpu" or query.dtype != torch.bfloat16:
        return sdpa_attention_forward(
            module, query, key, value, attention_mask, dropout, scaling, **others
        )
    query = query * (scaling or query.shape[-1] ** -0.5)
    if attention_mask is not None:
        attention_mask = _bias(attention_mask, query.dtype).expand(len(query), -1, -1, -1)
    rows = max(1, _SCORES // (query.shape[1] * query.shape[2] * key.shape[2]))
    parts = []
    for some in (slice(start, start + rows) for start in range(0, len(query), rows)):
        scores = query[some] @ key[some].transpose(-1, -2)
        if attention_mask is not None:
            scores += attention_mask[some]
        weights = functional.dropout(scores.softmax(-1), dropout, module.training)
        parts.append((weights @ value[some]).transpose(1, 2))
    return torch.cat(parts), None


def _bias(mask: Tensor, dtype: torch.dtype) -> Tensor:
    """A mask as what is added to scores: of truth values, or a preference as it is."""
    if mask.dtype != torch.bool:
        return mask.to(dtype)
    lowest = torch.finfo(dtype).min
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~mask, lowest)


AttentionInterface.register(ATTENTION, attend)
