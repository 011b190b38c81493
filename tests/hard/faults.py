"""Fault injection: killed and competing processes, full disks and read-only folders."""

import argparse
import ctypes
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

from rich.console import Console
from victims import VICTIMS, Victim

from workings.errors import WorkingsError

_CLOCK_PROCESS_CPUTIME_ID = 2
_NOBODY = 65534
_COMPLETED, _CRASHED, _REFUSED = 0, 1, 3  # exit codes of a child process
_MAX_RESTARTS = 200


def kill_at_random(victim: Victim, folder: Path, times: int, rng: Random) -> int:
    """Kill the work again and again until it completes, and compare its result.

    Args:
        victim: The work.
        folder: An empty folder.
        times: The least number of kills; completed work is started again until they are reached.
        rng: Draws the moments of the kills, in processor time of the work.

    Returns:
        The number of kills.
    """
    expected, starts, kills = _complete(victim, folder / "completed"), 0, 0
    while kills < times:
        out = folder / f"run-{starts}"
        for attempt in range(_MAX_RESTARTS):
            starts += 1
            # On a slow machine, or under coverage, the work needs longer than expected.
            longest = victim.seconds * (1 + attempt / 10)
            code = _run_child(partial(victim.work, out), rng.uniform(0.0, longest))
            victim.check(out, folder / "completed")
            if code == _COMPLETED:
                break
            assert code == -signal.SIGKILL, f"{victim.name} ended with {code}"
            kills += 1
        assert victim.result(out) == expected, f"{victim.name}: another result in {out}"
        assert _file_names(out) == _file_names(folder / "completed"), victim.name
        shutil.rmtree(out)
    return kills


def fill_disk(victim: Victim, folder: Path) -> None:
    """On a full disk the work ends with a clear error; with space it continues and completes."""
    expected, out = _complete(victim, folder / "completed"), folder / "full"
    limit = partial(_limit_files, victim.file_limit)
    assert _run_child(lambda: victim.work(out), before=limit) == _REFUSED, victim.name
    victim.check(out, folder / "completed")
    assert _run_child(lambda: victim.work(out)) == _COMPLETED
    assert victim.result(out) == expected


def forbid_writing(victim: Victim, folder: Path) -> None:
    """In a read-only folder the work ends with a clear error and leaves nothing behind."""
    _complete(victim, folder / "completed")
    read_only = folder / "read-only"
    read_only.mkdir(mode=0o500)
    folder.chmod(0o755)
    before = _become_nobody if os.geteuid() == 0 else None
    code = _run_child(lambda: victim.work(read_only / "out"), before=before)
    assert code == _REFUSED, victim.name
    assert not list(read_only.iterdir())


def compete(victim: Victim, folder: Path, processes: int = 4) -> None:
    """Of several processes with one output, one works and the others are refused, if locked."""
    expected, out = _complete(victim, folder / "completed"), folder / "shared"
    children = [_start_child(partial(victim.work, out)) for _ in range(processes)]
    codes = [_wait(child) for child in children]
    assert set(codes) <= {_COMPLETED, _REFUSED}, f"{victim.name} ended with {codes}"
    assert _COMPLETED in codes
    assert victim.result(out) == expected
    assert _file_names(out) == _file_names(folder / "completed"), victim.name


def _complete(victim: Victim, out: Path) -> object:
    """The result of undisturbed work, done in this process so that children inherit its imports."""
    if not out.exists():
        victim.work(out)
    return victim.result(out)


def _file_names(out: Path) -> list[str]:
    return sorted(str(path.relative_to(out)) for path in out.rglob("*"))


def _run_child(
    work: Callable[[], object],
    lifetime: float | None = None,
    before: Callable[[], None] | None = None,
) -> int:
    """Do work in a forked process, which the kernel kills after a lifetime of processor time.

    Returns:
        The exit code; ``_REFUSED`` for a workings error with a hint.
    """
    return _wait(_start_child(work, lifetime, before))


def _start_child(
    work: Callable[[], object],
    lifetime: float | None = None,
    before: Callable[[], None] | None = None,
) -> int:
    child = os.fork()
    if child == 0:
        try:
            if before:
                before()
            if lifetime is not None:
                _kill_after(max(lifetime, 1e-4))
            work()
        except WorkingsError as error:
            os._exit(_REFUSED if error.hint else _CRASHED)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(_CRASHED)
        os._exit(_COMPLETED)
    return child


def _wait(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class _SignalEvent(ctypes.Structure):
    """The C structure sigevent."""

    _fields_ = (("value", ctypes.c_void_p), ("signal", ctypes.c_int), ("how", ctypes.c_int),
                ("rest", ctypes.c_char * 48))  # fmt: skip


def _kill_after(seconds: float) -> None:
    """Let the kernel kill this process, at a moment that is independent of Python's own steps."""
    system, timer = ctypes.CDLL(None, use_errno=True), ctypes.c_void_p()
    event = _SignalEvent(signal=signal.SIGKILL, how=0)
    whole, nanoseconds = divmod(int(seconds * 1e9), 10**9)
    times = (ctypes.c_long * 4)(0, 0, whole, nanoseconds)
    error = system.timer_create(_CLOCK_PROCESS_CPUTIME_ID, ctypes.byref(event), ctypes.byref(timer))
    if error or system.timer_settime(timer, 0, times, None):
        raise OSError(ctypes.get_errno(), "no timer")


def _limit_files(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def _become_nobody() -> None:
    os.setgid(_NOBODY)
    os.setuid(_NOBODY)


@contextmanager
def _temporary_folder(name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=f"faults-{name}-") as folder:
        yield Path(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=sorted(VICTIMS))
    arguments = parser.parse_args()
    console = Console()
    for name, open_victim in VICTIMS.items():
        if arguments.only in (None, name):
            with _temporary_folder(name) as folder, open_victim(folder) as victim:
                rng = Random(f"{arguments.seed}/{name}")
                kills = kill_at_random(victim, folder, arguments.kills, rng)
                fill_disk(victim, folder)
                forbid_writing(victim, folder)
                if victim.locked:
                    compete(victim, folder)
            console.print(f"{name}: passed {kills} kills, a full disk and a read-only folder")


if __name__ == "__main__":
    main()
