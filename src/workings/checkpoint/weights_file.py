"""Weights as one file, safetensors whose header holds the digest of what follows it."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load as parse
from safetensors.torch import save as write
from torch import Tensor

from workings.errors import CheckpointError

REMAKE = "Copy the whole folder again, or train the model again."

_LARGEST_HALF = torch.finfo(torch.half).max
# So much of a digest tells weights apart.
_SHORT = 16


@dataclass(frozen=True)
class WeightsFile:
    """The bytes of a file of weights."""

    raw: bytes

    @cached_property
    def weights(self) -> dict[str, Tensor]:
        return parse(self.raw)

    @cached_property
    def whole_digest(self) -> str:
        return hashlib.sha256(memoryview(self.raw)[self._header_end :]).hexdigest()

    @property
    def digest(self) -> str:
        """What tells these weights from others."""
        return self.whole_digest[:_SHORT]

    @property
    def told_digest(self) -> str:
        """The digest that the file says it has."""
        header = json.loads(self.raw[8 : self._header_end])
        return str(header["__metadata__"]["digest"])

    @property
    def parameters(self) -> int:
        return count(self.weights.values())

    @property
    def _header_end(self) -> int:
        """The first eight bytes tell how long the header is."""
        return 8 + int.from_bytes(self.raw[:8], "little")


def pack(state: Mapping[str, Tensor], *, half: bool) -> WeightsFile:
    """Pack the weights of a model."""
    tensors = {name: _own(tensor, half=half) for name, tensor in state.items()}
    return WeightsFile(write(tensors, {"digest": WeightsFile(write(tensors)).whole_digest}))


def unpack(path: Path, raw: bytes) -> WeightsFile:
    """The weights read from a file, if it is whole."""
    packed = WeightsFile(raw)
    try:
        whole = bool(packed.weights) and packed.whole_digest == packed.told_digest
    except (SafetensorError, KeyError) as error:
        message = f"{path} is damaged or was not written by workings: {error}."
        raise CheckpointError(message, hint=REMAKE) from error
    if not whole:
        raise CheckpointError(f"{path} is damaged: its digest differs.", hint=REMAKE)
    return packed


def count(tensors: Iterable[Tensor]) -> int:
    """How many numbers there are in some tensors."""
    return sum(tensor.numel() for tensor in tensors)


def _own(tensor: Tensor, *, half: bool) -> Tensor:
    """A copy, since shared memory cannot be written; in half precision where the values fit it."""
    tensor = tensor.detach().cpu().contiguous().clone()
    fits = tensor.is_floating_point() and not bool((tensor.abs() > _LARGEST_HALF).any())
    return tensor.half() if half and fits else tensor
