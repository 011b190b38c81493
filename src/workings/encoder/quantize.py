"""Fast mode: the transformer's linear layers in bfloat16 or in 8-bit integers."""

import warnings
from collections.abc import Mapping
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

FastMethod = Literal["bf16", "int8"]

# Older processors add two 8-bit products in 16 bits: a 7-bit weight keeps the sum in range.
_MAX_WEIGHT = 63


def preferred_method() -> FastMethod:
    """The faster method for this processor: bfloat16 if it multiplies it natively, else int8."""
    # Older versions of torch do not list the capabilities.
    capabilities: Mapping[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    native = any(capabilities.get(name) for name in ("avx512_bf16", "amx_bf16"))
    return "bf16" if native else "int8"


class Int8Linear(nn.Module):
    """A linear layer with 8-bit weights, one scale per row; inputs are quantized dynamically."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight = linear.weight.detach()
        smallest = torch.finfo(weight.dtype).tiny
        scale = (weight.abs().amax(1) / _MAX_WEIGHT).clamp(min=smallest).double()
        zero = torch.zeros(len(scale), dtype=torch.long)
        with warnings.catch_warnings():  # torch announces a successor package
            warnings.simplefilter("ignore", UserWarning)
            quantized = torch.quantize_per_channel(weight, scale, zero, 0, torch.qint8)
        bias = None if linear.bias is None else linear.bias.detach()
        self.packed = torch.ops.quantized.linear_prepack(quantized, bias)

    def forward(self, inputs: Float[Tensor, "*b i"]) -> Float[Tensor, "*b o"]:
        outputs: Tensor = torch.ops.quantized.linear_dynamic(inputs, self.packed)
        return outputs


def quantize(layers: nn.Module, method: FastMethod) -> None:
    """Convert every linear layer in place. The result can answer, but not be trained or saved."""
    for name, part in layers.named_children():
        if not isinstance(part, nn.Linear):
            quantize(part, method)
        elif method == "int8":
            setattr(layers, name, Int8Linear(part))
        else:
            part.to(torch.bfloat16)
