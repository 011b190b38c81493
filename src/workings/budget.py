"""A budget of time and work for one computation, checked while it runs.

The caller enters a budget; code further down checks it before each piece of work. The budget is a
context variable, so that the functions in between need no parameter for it. Without a budget the
checks do nothing.
"""

import time
from collections.abc import Callable
from contextvars import ContextVar, Token
from types import TracebackType

from workings.errors import AnswerTimeoutError, WorkLimitError

_CURRENT: "ContextVar[Budget | None]" = ContextVar("budget", default=None)


class Budget:
    """Limits of one computation; use it with ``with``.

    Args:
        seconds: Time from now until the computation must end.
        pairs: Most pairs of numbers that may be combined; no limit by default.
        is_cancelled: Returns whether nobody needs the result any more.
        clock: Returns the time in seconds.
    """

    def __init__(
        self,
        seconds: float,
        pairs: int | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seconds, self.pairs = seconds, pairs
        self._clock, self._is_cancelled = clock, is_cancelled
        self._deadline = clock() + seconds

    def __enter__(self) -> "Budget":
        self._token: Token[Budget | None] = _CURRENT.set(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _CURRENT.reset(self._token)

    def shorten(self, seconds: float) -> None:
        """End the computation at most this many seconds from now. Any thread may call it."""
        self._deadline = min(self._deadline, self._clock() + seconds)

    def check(self) -> None:
        """Check time and cancellation.

        Raises:
            AnswerTimeoutError: The time is over, or nobody needs the result any more.
        """
        if self._is_cancelled():
            raise AnswerTimeoutError("The request was cancelled.", hint="Send it again.")
        if self._clock() >= self._deadline:
            hint = "Send fewer questions at once, a shorter passage or a shorter program."
            message = f"The answer took longer than {self.seconds:g} seconds."
            raise AnswerTimeoutError(message, hint=hint)

    def spend(self, pairs: int) -> None:
        """Check the budget, then count pairs of numbers that are about to be combined.

        Raises:
            AnswerTimeoutError: See ``check``.
            WorkLimitError: There would be too many pairs.
        """
        self.check()
        if self.pairs is None:
            return
        if pairs > self.pairs:
            message = "The program combines too many pairs of numbers."
            raise WorkLimitError(message, hint="Use a shorter passage or a shorter program.")
        self.pairs -= pairs


def check_budget() -> None:
    """Check the budget that is in force, if any; raises as ``Budget.check``."""
    budget = _CURRENT.get()
    if budget is not None:
        budget.check()


def spend_pairs(pairs: int) -> None:
    """Count pairs against the budget that is in force, if any; raises as ``Budget.spend``."""
    budget = _CURRENT.get()
    if budget is not None:
        budget.spend(pairs)
