"""Answers concurrent requests in batches: one bounded queue, one worker thread."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType

from workings.batch.answering import ask_each
from workings.errors import WorkingsError
from workings.explain import Explanation
from workings.program import Program
from workings.reader import Reader


class BusyError(WorkingsError):
    """The queue is full."""


class AnswerTimeoutError(WorkingsError):
    """An answer took too long."""


@dataclass(frozen=True)
class BatchingLimits:
    """Limits of the queue and of its batches.

    Attributes:
        batch_size: Most questions answered together.
        queue_size: Most questions in the queue; further requests are rejected.
        max_wait: Seconds that the first question of a batch waits for others.
        timeout: Seconds until a request without an answer is abandoned.
    """

    batch_size: int = 16
    queue_size: int = 256
    max_wait: float = 0.005
    timeout: float = 60.0


@dataclass(frozen=True)
class _Job:
    """A question to answer, or a program to run for it."""

    question: str
    passage: str
    program: Program | None
    future: asyncio.Future[Explanation]


class Batcher:
    """Answers questions of many callers in batches. Use it with ``async with``.

    Args:
        reader: Answers the questions; only the worker thread calls it.
        limits: Limits of queue and batches; default ``BatchingLimits()``.
        on_batch: Called with the number of questions of each batch.
    """

    def __init__(
        self,
        reader: Reader,
        limits: BatchingLimits | None = None,
        on_batch: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.reader, self.limits, self.on_batch = reader, limits or BatchingLimits(), on_batch
        self._queue: asyncio.Queue[_Job] = asyncio.Queue()
        self._thread = ThreadPoolExecutor(1, "reader")

    @property
    def queue_length(self) -> int:
        """Questions in the queue at this moment."""
        return self._queue.qsize()

    async def __aenter__(self) -> "Batcher":
        self._worker = asyncio.create_task(self._work())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._worker.cancel()
        await asyncio.gather(self._worker, return_exceptions=True)
        while not self._queue.empty():
            self._queue.get_nowait().future.cancel()
        self._thread.shutdown()

    async def ask(self, questions: Sequence[str], passage: str) -> list[Explanation]:
        """Answer questions about one passage, in order.

        Raises:
            BusyError: The queue is full.
            AnswerTimeoutError: The answers took longer than ``limits.timeout``.
            WorkingsError: A question or the passage cannot be used.
        """
        return await self._submit([self._job(question, passage) for question in questions])

    async def run(self, program: str, question: str, passage: str) -> Explanation:
        """Run a program on a passage; raises the same errors as ``ask``."""
        jobs = [self._job(question, passage, Program.parse(program))]
        (explanation,) = await self._submit(jobs)
        return explanation

    def _job(self, question: str, passage: str, program: Program | None = None) -> _Job:
        return _Job(question, passage, program, asyncio.get_running_loop().create_future())

    async def _submit(self, jobs: list[_Job]) -> list[Explanation]:
        if self.queue_length + len(jobs) > self.limits.queue_size:
            hint = "Try again in a moment."
            raise BusyError("Too many questions are in the queue.", hint=hint)
        for job in jobs:
            self._queue.put_nowait(job)
        try:
            async with asyncio.timeout(self.limits.timeout):
                return await asyncio.gather(*(job.future for job in jobs))
        except TimeoutError as error:
            message = f"The answer took longer than {self.limits.timeout:g} seconds."
            hint = "Send fewer questions at once, or a shorter passage."
            raise AnswerTimeoutError(message, hint=hint) from error

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            jobs = await self._next_batch()
            self.on_batch(len(jobs))
            outcomes = await loop.run_in_executor(self._thread, self._answer, jobs)
            for job, outcome in zip(jobs, outcomes, strict=True):
                _complete(job.future, outcome)

    async def _next_batch(self) -> list[_Job]:
        jobs = [await self._queue.get()]
        await asyncio.sleep(self.limits.max_wait)
        while len(jobs) < self.limits.batch_size and not self._queue.empty():
            jobs.append(self._queue.get_nowait())
        return [job for job in jobs if not job.future.cancelled()]

    def _answer(self, jobs: Sequence[_Job]) -> list[Explanation | Exception]:
        """Return the explanation or the error of every job, in order. Runs in the thread."""
        questions = [(job.question, job.passage) for job in jobs if job.program is None]
        try:
            answers = iter(ask_each(self.reader, questions))
            return [
                next(answers) if job.program is None else self._run(job, job.program)
                for job in jobs
            ]
        except Exception as error:  # a bug must fail this batch only, not stop the worker
            return [error] * len(jobs)

    def _run(self, job: _Job, program: Program) -> Explanation | WorkingsError:
        try:
            return self.reader.run(program, job.question, job.passage)
        except WorkingsError as error:
            return error


def _complete(future: asyncio.Future[Explanation], outcome: Explanation | Exception) -> None:
    if future.done():  # the request was abandoned in the meantime
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
