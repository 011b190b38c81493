"""Caches of layer outputs: on disk for frozen layers, in memory for recent passages."""

import hashlib
import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

HalfArray: TypeAlias = NDArray[np.float16]


def digest(module: nn.Module) -> str:
    """A short hash of a module's weights."""
    hashed = hashlib.sha256()
    for name, tensor in module.state_dict().items():
        hashed.update(name.encode())
        hashed.update(tensor.cpu().numpy())
    return hashed.hexdigest()[:16]


class ActivationCache:
    """Outputs of the frozen layers on disk, in half precision.

    The key contains encoder, layer and text, so an entry is never stale. When the size limit is
    reached, nothing more is added and training continues without it.
    """

    def __init__(self, folder: Path, encoder: str, layer: int, limit_bytes: float) -> None:
        """Open a cache.

        Args:
            folder: The folder of the entries.
            encoder: A name for the encoder's weights and settings.
            layer: The layer whose outputs are stored.
            limit_bytes: Maximum total size.
        """
        self.folder = folder
        self.encoder = f"{encoder}/{layer}"
        self.limit = limit_bytes
        folder.mkdir(parents=True, exist_ok=True)
        self.size = sum(entry.stat().st_size for entry in os.scandir(folder))

    def key(self, question_ids: Sequence[int], passage_ids: Sequence[int]) -> str:
        """The key of a question with a passage window."""
        question, passage = (",".join(map(str, ids)) for ids in (question_ids, passage_ids))
        text = f"{self.encoder}|{question}|{passage}"
        return hashlib.sha256(text.encode()).hexdigest()[:40]

    def get(self, key: str, device: torch.device) -> Tensor | None:
        """The stored vectors; None if there are none or they cannot be read."""
        try:
            stored = np.load(self.folder / f"{key}.npy", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        return torch.from_numpy(stored).to(device, torch.float)

    def put(self, key: str, state: Tensor) -> Tensor:
        """Store vectors, and return them rounded as they will be read back."""
        rounded = state.detach().half()
        self._write(key, rounded.cpu().numpy())
        return rounded.to(state.dtype)

    def _write(self, key: str, data: HalfArray) -> None:
        if self.size + data.nbytes > self.limit:
            return
        temporary = self.folder / f"{key}.{os.getpid()}.tmp"
        try:
            with temporary.open("wb") as file:
                np.save(file, data, allow_pickle=False)
            temporary.replace(self.folder / f"{key}.npy")
        except OSError:  # a full disk is a limit reached
            temporary.unlink(missing_ok=True)
            self.limit = 0
        self.size += data.nbytes


class PassageCache:
    """The recently read passages below the split, least recently used ones dropped first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.states: OrderedDict[tuple[int, ...], Tensor] = OrderedDict()

    def __reduce__(self) -> tuple[type["PassageCache"], tuple[int]]:
        """Pickle and copy without the cached vectors."""
        return PassageCache, (self.size,)

    def get(self, ids: tuple[int, ...]) -> Tensor | None:
        """The vectors of a passage window, if they are cached."""
        if ids in self.states:
            self.states.move_to_end(ids)
        return self.states.get(ids)

    def put(self, states: Mapping[tuple[int, ...], Tensor]) -> None:
        """Add the vectors of passage windows."""
        self.states.update(states)
        while len(self.states) > self.size:
            self.states.popitem(last=False)
