"""Rows of different lengths together, and a passage's windows joined again."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from workings.encoder.windows import Window


def stack(rows: Sequence[Tensor], even: int = 1) -> tuple[Tensor, Bool[Tensor, "r t"]]:
    """Rows of different lengths as one tensor, of an even length, and where it is filled."""
    padded = pad_sequence(list(rows), batch_first=True)
    if spare := -padded.shape[1] % even:
        padded = torch.cat([padded, padded.new_zeros(len(rows), spare, *padded.shape[2:])], 1)
    lengths = torch.tensor([len(row) for row in rows], device=padded.device)
    return padded, torch.arange(padded.shape[1], device=padded.device) < lengths[:, None]


def join_windows(
    states: Sequence[Tensor], heads: Sequence[int], plan: Sequence[tuple[int, Window]]
) -> tuple[list[Tensor], list[Tensor]]:
    """Each question's vectors and those of its whole passage, from the windows it was read over.

    ``plan`` has the question and the window of each state, ``heads`` how many pieces a question's
    reading begins with. The marks that close question and passage are left out.
    """
    asked: list[list[Tensor]] = [[] for _ in heads]
    read: list[list[Tensor]] = [[] for _ in heads]
    for (row, window), state in zip(plan, states, strict=True):
        asked[row].append(state[: heads[row] - 1])
        kept = read[row]
        if kept:  # the later window takes over where both know the pieces equally well
            kept[-1] = kept[-1][: window.keep - sum(len(part) for part in kept[:-1])]
        kept.append(state[heads[row] + window.keep - window.start : -1])
    # A question read over several windows is the mean of its readings.
    return [torch.stack(parts).mean(0) for parts in asked], [torch.cat(parts) for parts in read]
