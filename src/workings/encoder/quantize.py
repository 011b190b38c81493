"""Fast mode: the transformer's linear maps in whole numbers of eight bits."""

import warnings

import torch
from jaxtyping import Float
from torch import Tensor, nn

# Two products with inputs of eight bits must fit into sixteen: older processors add them there.
_LARGEST = 63


class Int8Linear(nn.Module):
    """A linear map with rounded weights, one scale a row; inputs are rounded as they come."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight = linear.weight.detach()
        smallest = torch.finfo(weight.dtype).tiny
        scale = (weight.abs().amax(1) / _LARGEST).clamp(min=smallest).double()
        zero = torch.zeros(len(scale), dtype=torch.long)
        with warnings.catch_warnings():  # it announces another package, which is not needed for it
            warnings.simplefilter("ignore", UserWarning)
            rounded = torch.quantize_per_channel(weight, scale, zero, 0, torch.qint8)
        bias = None if linear.bias is None else linear.bias.detach()
        self.packed = torch.ops.quantized.linear_prepack(rounded, bias)

    def forward(self, inputs: Float[Tensor, "*b i"]) -> Float[Tensor, "*b o"]:
        outputs: Tensor = torch.ops.quantized.linear_dynamic(inputs, self.packed)
        return outputs


def quantize(layers: nn.Module) -> None:
    """Round every linear map in place; what is rounded can be read with, but not trained."""
    for name, part in layers.named_children():
        if isinstance(part, nn.Linear):
            setattr(layers, name, Int8Linear(part))
        else:
            quantize(part)


def is_quantized(layers: nn.Module) -> bool:
    """Whether linear maps have been rounded."""
    return any(isinstance(part, Int8Linear) for part in layers.modules())
