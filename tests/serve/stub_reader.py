"""A reader without a network, whose work a test can hold up."""

import threading
from collections.abc import Callable, Iterable
from functools import cache

from tiny import PASSAGE, QUESTION, tiny_network
from workings.budget import check_budget
from workings.explain import Explanation
from workings.reader import Reader


@cache
def _explanation() -> Explanation:
    return Reader(tiny_network()).ask(QUESTION, PASSAGE)


class StubReader(Reader):
    """Records batches, and runs a function before it answers.

    ``entered`` is set when a batch begins; the batch then waits for ``released``.
    """

    def __init__(self, act: Callable[[list[str]], None] = lambda _: None) -> None:
        self.act = act
        self.batches: list[list[str]] = []
        self.entered, self.released = threading.Event(), threading.Event()
        self.released.set()

    def ask_many(
        self,
        pairs: Iterable[tuple[str, str]],
        batch_size: int = 8,  # noqa: ARG002 - as in the reader
    ) -> list[Explanation]:
        questions = [question for question, _ in pairs]
        if questions:
            self.batches.append(questions)
            self.entered.set()
            self.released.wait()
            self.act(questions)
        return [_explanation().model_copy(update={"question": question}) for question in questions]


def work_until_stopped(_questions: list[str]) -> None:
    """Check the budget until it ends the work."""
    while True:
        check_budget()
