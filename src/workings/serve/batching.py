"""Requests that arrive together are answered together, by one thread, from one bounded queue."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from workings.batch.answering import ask_each
from workings.errors import WorkingsError
from workings.explain import Explanation
from workings.program import Program
from workings.reader import Reader


class BusyError(WorkingsError):
    """More questions wait than will soon be answered."""


class AnswerTimeoutError(WorkingsError):
    """An answer took too long."""


@dataclass(frozen=True)
class BatchingLimits:
    """How much is taken on, and how fast it must go."""

    batch: int = 16  # questions answered together
    waiting: int = 256  # questions that may wait
    linger: float = 0.005  # seconds a first question waits for others
    timeout: float = 60.0  # seconds until an answer is given up


@dataclass(frozen=True)
class _Job:
    """A question to ask or, with a program, to run."""

    question: str
    passage: str
    program: Program | None
    done: asyncio.Future[Explanation]


class Batcher:
    """Answers for many callers at once; open it with ``async with``."""

    def __init__(
        self,
        reader: Reader,
        pace: BatchingLimits | None = None,
        watch: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.reader, self.pace, self.watch = reader, pace or BatchingLimits(), watch
        self._queue: asyncio.Queue[_Job] = asyncio.Queue()
        self._thread = ThreadPoolExecutor(1, "reader")

    @property
    def waiting(self) -> int:
        """How many questions wait."""
        return self._queue.qsize()

    async def __aenter__(self) -> Self:
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
            self._queue.get_nowait().done.cancel()
        self._thread.shutdown()

    async def ask(self, questions: Sequence[str], passage: str) -> list[Explanation]:
        """The answers to some questions about one passage."""
        return await self._submit([self._job(question, passage) for question in questions])

    async def run(self, program: str, question: str, passage: str) -> Explanation:
        """What a program comes to."""
        (found,) = await self._submit([self._job(question, passage, Program.parse(program))])
        return found

    def _job(self, question: str, passage: str, program: Program | None = None) -> _Job:
        return _Job(question, passage, program, asyncio.get_running_loop().create_future())

    async def _submit(self, jobs: list[_Job]) -> list[Explanation]:
        if self.waiting + len(jobs) > self.pace.waiting:
            raise BusyError("Too many questions are waiting.", hint="Ask again in a moment.")
        for job in jobs:
            self._queue.put_nowait(job)
        try:
            async with asyncio.timeout(self.pace.timeout):
                return await asyncio.gather(*(job.done for job in jobs))
        except TimeoutError as error:
            message = f"No answer came within {self.pace.timeout:g} seconds."
            hint = "Ask fewer questions at once, or about a shorter passage."
            raise AnswerTimeoutError(message, hint=hint) from error

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            jobs = await self._next_batch()
            self.watch(len(jobs))
            found = await loop.run_in_executor(self._thread, self._answer, jobs)
            for job, result in zip(jobs, found, strict=True):
                _settle(job.done, result)

    async def _next_batch(self) -> list[_Job]:
        jobs = [await self._queue.get()]
        await asyncio.sleep(self.pace.linger)
        while len(jobs) < self.pace.batch and not self._queue.empty():
            jobs.append(self._queue.get_nowait())
        return [job for job in jobs if not job.done.cancelled()]

    def _answer(self, jobs: Sequence[_Job]) -> list[Explanation | Exception]:
        """In the thread: every job's explanation or fault, in order."""
        asked = [job for job in jobs if job.program is None]
        try:
            found = iter(ask_each(self.reader, [(job.question, job.passage) for job in asked]))
            return [self._run(job) if job.program else next(found) for job in jobs]
        except Exception as error:  # a fault of ours must not stop the thread for all to come
            return [error] * len(jobs)

    def _run(self, job: _Job) -> Explanation | WorkingsError:
        assert job.program is not None
        try:
            return self.reader.run(job.program, job.question, job.passage)
        except WorkingsError as error:
            return error


def _settle(done: asyncio.Future[Explanation], result: Explanation | Exception) -> None:
    if done.done():  # given up meanwhile
        return
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)
