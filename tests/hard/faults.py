"""Kill -9 at random moments, full disks, folders that cannot be written: nothing is lost by it."""

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
_REFUSED, _DONE = 3, 0
_MOST_LIVES = 200


def killed_for(victim: Victim, folder: Path, times: int, draw: Random) -> int:
    """Kill it so often, at moments of its own time, and let it end in between; gives its lives."""
    whole, lives, killed = _whole(victim, folder / "whole"), 0, 0
    while killed < times:
        out = folder / f"life-{lives}"
        for _ in range(_MOST_LIVES):
            lives += 1
            ended = _child(partial(victim.work, out), draw.uniform(0.0, victim.seconds))
            victim.check(out, folder / "whole")
            if ended == _DONE:
                break
            assert ended == -signal.SIGKILL, f"{victim.name} ended with {ended}"
            killed += 1
        assert victim.result(out) == whole, f"{victim.name}: another result in {out}"
        assert _names(out) == _names(folder / "whole"), f"{victim.name}: {_names(out)}"
        shutil.rmtree(out)
    return killed


def full(victim: Victim, folder: Path) -> None:
    """Where no more can be written it says so, and goes on once there is room."""
    whole, out = _whole(victim, folder / "whole"), folder / "full"
    limit = lambda: _limit_files(victim.room)  # noqa: E731
    assert _child(lambda: victim.work(out), before=limit) == _REFUSED, f"{victim.name}: not refused"
    victim.check(out, folder / "whole")
    assert _child(lambda: victim.work(out)) == _DONE
    assert victim.result(out) == whole


def read_only(victim: Victim, folder: Path) -> None:
    """Where nothing may be written it says so."""
    _whole(victim, folder / "whole")
    shut = folder / "shut"
    shut.mkdir(mode=0o500)
    folder.chmod(0o755)
    before = _become_nobody if os.geteuid() == 0 else None
    assert _child(lambda: victim.work(shut / "out"), before=before) == _REFUSED, victim.name
    assert not list(shut.iterdir())


def _whole(victim: Victim, out: Path) -> object:
    """What it comes to undisturbed; done here, so that its children have all they import."""
    if not out.exists():
        victim.work(out)
    return victim.result(out)


def _names(out: Path) -> list[str]:
    return sorted(str(path.relative_to(out)) for path in out.rglob("*"))


def _child(
    work: Callable[[], object],
    life: float | None = None,
    before: Callable[[], None] | None = None,
) -> int:
    """Work in a process of its own, which the kernel kills once it has worked so long."""
    child = os.fork()
    if child == 0:
        try:
            if before:
                before()
            if life is not None:
                _die_after(max(life, 1e-4))
            work()
        except WorkingsError as error:
            os._exit(_REFUSED if error.hint else 1)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(_DONE)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class _Event(ctypes.Structure):
    _fields_ = (("value", ctypes.c_void_p), ("signal", ctypes.c_int), ("how", ctypes.c_int),
                ("rest", ctypes.c_char * 48))  # fmt: skip


def _die_after(seconds: float) -> None:
    """Signal 9 from the kernel, at a moment that no line of Python can foresee."""
    system, timer = ctypes.CDLL(None, use_errno=True), ctypes.c_void_p()
    event = _Event(signal=signal.SIGKILL, how=0)
    whole, part = divmod(int(seconds * 1e9), 10**9)
    when = (ctypes.c_long * 4)(0, 0, whole, part)
    made = system.timer_create(_CLOCK_PROCESS_CPUTIME_ID, ctypes.byref(event), ctypes.byref(timer))
    if made or system.timer_settime(timer, 0, when, None):
        raise OSError(ctypes.get_errno(), "no timer")


def _limit_files(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def _become_nobody() -> None:
    os.setgid(_NOBODY)
    os.setuid(_NOBODY)


@contextmanager
def _folder(name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=f"faults-{name}-") as folder:
        yield Path(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=sorted(VICTIMS))
    given = parser.parse_args()
    console = Console()
    for name, open_ in VICTIMS.items():
        if given.only in (None, name):
            with _folder(name) as folder, open_(folder) as victim:
                killed = killed_for(victim, folder, given.kills, Random(f"{given.seed}/{name}"))
                full(victim, folder)
                read_only(victim, folder)
            console.print(f"{name}: killed {killed} times, a full disk, a closed folder: all well")


if __name__ == "__main__":
    main()
