"""A thread that runs one function at a time, and is replaced if it dies."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

from workings.errors import WorkingsError

# Longer than the work between two checks of a budget.
_CLOSE_SECONDS = 2.0

T = TypeVar("T")
_Task = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class WorkerDiedError(WorkingsError):
    """The worker thread died while it answered."""


class Worker:
    """Runs functions in one thread, in the order of the calls.

    The thread is a daemon: a function that never returns does not keep the process alive.

    Attributes:
        restarts: How many threads were started in place of one that died.
        failures: How many threads died since the last function that returned.
    """

    def __init__(self) -> None:
        self.restarts = self.failures = 0
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._start()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._work, name="reader", daemon=True)
        self._thread.start()

    async def run(self, function: Callable[[], T]) -> T:
        """Run a function in the thread and return its result.

        Raises:
            WorkerDiedError: The thread died; another one was started.
            Exception: Any error of the function.
        """
        if not self._thread.is_alive():
            self._restart()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._tasks.put((function, future))
        try:
            result = await future
        except WorkerDiedError:
            self._restart()
            raise
        self.failures = 0
        return result

    def _restart(self) -> None:
        self.restarts += 1
        self.failures += 1
        self._start()

    async def close(self) -> None:
        """End the thread; do not wait long for a function that does not return."""
        self._tasks.put(None)
        await asyncio.to_thread(self._thread.join, _CLOSE_SECONDS)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            function, future = task
            try:
                result = function()
            except Exception as error:
                _report(future, future.set_exception, error)
            except BaseException as error:
                # Not an Exception: a panic of a native library, or an exit. Its state is unknown.
                hint = "Try again; if this text always fails, report it with the server's log."
                died = WorkerDiedError("The worker died while it answered.", hint=hint)
                died.__cause__ = error
                _report(future, future.set_exception, died)
                return
            else:
                _report(future, future.set_result, result)


def _report(future: "asyncio.Future[Any]", setter: Callable[[Any], None], outcome: object) -> None:
    """Complete a future from another thread, unless it was cancelled or its loop has ended."""

    def complete() -> None:
        if not future.done():
            setter(outcome)

    with suppress(RuntimeError):  # the event loop is closed
        future.get_loop().call_soon_threadsafe(complete)
