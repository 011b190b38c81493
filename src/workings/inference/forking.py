"""Make torch safe to use in a forked child process."""

import os

import torch

_torch_process: int | None = None


def use_one_thread_after_fork() -> None:
    """Use a single torch thread if an ancestor of this process has already run torch.

    A forked child does not inherit the worker threads of its parent, so a parallel operation would
    wait for them forever. Call this before loading or running a network. Processes that were
    started by other means than fork keep their threads.
    """
    global _torch_process
    process = os.getpid()
    if _torch_process is not None and _torch_process != process:
        torch.set_num_threads(1)
    _torch_process = process
