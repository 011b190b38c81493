"""Pad rows of different lengths, and join the windows of a passage."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from workings.encoder.windows import Window


def pad_rows(rows: Sequence[Tensor], multiple: int = 1) -> tuple[Tensor, Bool[Tensor, "r t"]]:
    """Stack rows of different lengths.

    Args:
        rows: The rows.
        multiple: Pad to a length divisible by this number.

    Returns:
        The padded rows, and a mask of the real entries.
    """
    padded = pad_sequence(list(rows), batch_first=True)
    if missing := -padded.shape[1] % multiple:
        zeros = padded.new_zeros(len(rows), missing, *padded.shape[2:])
        padded = torch.cat([padded, zeros], 1)
    lengths = torch.tensor([len(row) for row in rows], device=padded.device)
    return padded, torch.arange(padded.shape[1], device=padded.device) < lengths[:, None]


def join_windows(
    states: Sequence[Tensor],
    question_lengths: Sequence[int],
    plan: Sequence[tuple[int, Window]],
) -> tuple[list[Tensor], list[Tensor]]:
    """Join the vectors of a passage's windows; closing special tokens are dropped.

    Args:
        states: Token vectors of each window, the question's first.
        question_lengths: Number of question tokens of each row, special tokens included.
        plan: The row and the window of each state.

    Returns:
        The vectors of each row's question, averaged over its windows, and of its whole passage.
    """
    questions: list[list[Tensor]] = [[] for _ in question_lengths]
    passages: list[list[Tensor]] = [[] for _ in question_lengths]
    for (row, window), state in zip(plan, states, strict=True):
        length, parts = question_lengths[row], passages[row]
        questions[row].append(state[: length - 1])
        if parts:  # the later window takes over in the middle of the overlap
            parts[-1] = parts[-1][: window.keep - sum(len(part) for part in parts[:-1])]
        parts.append(state[length + window.keep - window.start : -1])
    joined_questions = [torch.stack(parts).mean(0) for parts in questions]
    return joined_questions, [torch.cat(parts) for parts in passages]
