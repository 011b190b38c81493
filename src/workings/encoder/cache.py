"""Outputs of lower layers: on disk for all epochs, in memory for the passages lately read."""

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

Halves: TypeAlias = NDArray[np.float16]


def digest(weights: nn.Module) -> str:
    """A name for exactly these weights, wherever they were loaded from."""
    found = hashlib.sha256()
    for name, tensor in weights.state_dict().items():
        found.update(name.encode())
        found.update(tensor.cpu().numpy())
    return found.hexdigest()[:16]


class ActivationCache:
    """Half-precision vectors of a text after a given layer of a given encoder.

    The key names all three, so an entry can be missing but never stale. When the limit is
    reached nothing more is added: training goes on, only slower.
    """

    def __init__(self, folder: Path, encoder: str, layer: int, limit_bytes: float) -> None:
        self.folder = folder
        self.encoder = f"{encoder}/{layer}"
        self.limit = limit_bytes
        folder.mkdir(parents=True, exist_ok=True)
        self.size = sum(entry.stat().st_size for entry in os.scandir(folder))

    def key(self, head: Sequence[int], tail: Sequence[int]) -> str:
        """A name for one question over one stretch of passage."""
        text = f"{self.encoder}|{','.join(map(str, head))}|{','.join(map(str, tail))}"
        return hashlib.sha256(text.encode()).hexdigest()[:40]

    def get(self, key: str, device: torch.device) -> Tensor | None:
        try:
            stored = np.load(self.folder / f"{key}.npy", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        return torch.from_numpy(stored).to(device, torch.float)

    def put(self, key: str, state: Tensor) -> Tensor:
        """Keep a state; gives it as it will be found, so that it is the same the first time.

        ScoredProgram aside, then renamed, so that no half-written entry is ever read.
        """
        kept = state.detach().half()
        self._write(key, kept.cpu().numpy())
        return kept.to(state.dtype)

    def _write(self, key: str, data: Halves) -> None:
        if self.size + data.nbytes > self.limit:
            return
        aside = self.folder / f"{key}.{os.getpid()}.tmp"
        try:
            with aside.open("wb") as file:
                np.save(file, data, allow_pickle=False)
            aside.replace(self.folder / f"{key}.npy")
        except OSError:  # a full disk is a limit reached
            aside.unlink(missing_ok=True)
            self.limit = 0
        self.size += data.nbytes


class PassageMemory:
    """The last passages as the layers below the split read them, for the questions to come."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.states: OrderedDict[tuple[int, ...], Tensor] = OrderedDict()

    def get(self, text: tuple[int, ...]) -> Tensor | None:
        if text in self.states:
            self.states.move_to_end(text)
        return self.states.get(text)

    def put(self, states: Mapping[tuple[int, ...], Tensor]) -> None:
        self.states.update(states)
        while len(self.states) > self.most:
            self.states.popitem(last=False)
