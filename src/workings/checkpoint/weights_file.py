"""Weights as one safetensors file whose header holds a digest of the tensors."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load as parse
from safetensors.torch import save as serialise
from torch import Tensor

from workings.checkpoint.config import REMAKE
from workings.errors import CheckpointError

_LARGEST_HALF = torch.finfo(torch.half).max
_SHORT_DIGEST = 16


@dataclass(frozen=True)
class WeightsFile:
    """The bytes of a file of weights."""

    raw: bytes

    @cached_property
    def weights(self) -> dict[str, Tensor]:
        return parse(self.raw)

    @cached_property
    def full_digest(self) -> str:
        """The digest of the tensors, computed from their bytes."""
        return hashlib.sha256(memoryview(self.raw)[self._header_end :]).hexdigest()

    @property
    def digest(self) -> str:
        """The first characters of the digest, enough to distinguish weights."""
        return self.full_digest[:_SHORT_DIGEST]

    @property
    def stored_digest(self) -> str:
        """The digest that the header of the file holds."""
        header = json.loads(self.raw[8 : self._header_end])
        return str(header["__metadata__"]["digest"])

    @property
    def parameters(self) -> int:
        return count_values(self.weights.values())

    @property
    def _header_end(self) -> int:
        """The offset of the first tensor; the first eight bytes hold the header's length."""
        return 8 + int.from_bytes(self.raw[:8], "little")


def pack(state: Mapping[str, Tensor], *, half: bool) -> WeightsFile:
    """Pack the weights of a model into the bytes of a file.

    Args:
        state: The model's state dict.
        half: Store tensors in half precision where their values fit.
    """
    tensors = {name: _copy(tensor, half=half) for name, tensor in state.items()}
    digest = WeightsFile(serialise(tensors)).full_digest
    return WeightsFile(serialise(tensors, {"digest": digest}))


def unpack(path: Path, raw: bytes) -> WeightsFile:
    """Check the bytes of a file of weights.

    Args:
        path: Path of the file, for error messages.
        raw: The bytes read from it.

    Raises:
        CheckpointError: If the file is damaged or was written by another program.
    """
    packed = WeightsFile(raw)
    try:
        complete = bool(packed.weights) and packed.full_digest == packed.stored_digest
    except (SafetensorError, KeyError) as error:
        message = f"{path} is damaged or was not written by workings: {error}."
        raise CheckpointError(message, hint=REMAKE) from error
    if not complete:
        raise CheckpointError(f"{path} is damaged: its digest differs.", hint=REMAKE)
    return packed


def count_values(tensors: Iterable[Tensor]) -> int:
    """Count the elements of some tensors."""
    return sum(tensor.numel() for tensor in tensors)


def _copy(tensor: Tensor, *, half: bool) -> Tensor:
    """Copy a tensor, since safetensors refuses shared memory; to half precision where it fits."""
    tensor = tensor.detach().cpu().contiguous().clone()
    fits = tensor.is_floating_point() and not bool((tensor.abs() > _LARGEST_HALF).any())
    return tensor.half() if half and fits else tensor
