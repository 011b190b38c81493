"""Answers concurrent requests in batches: one bounded queue, one worker thread."""

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import TracebackType

from workings.batch.answering import ask_each
from workings.budget import Budget
from workings.errors import AnswerTimeoutError, WorkingsError, WorkLimitError
from workings.explain import Explanation
from workings.program import Program
from workings.reader import Reader
from workings.serve.job_queue import Job, JobQueue
from workings.serve.worker import Worker, WorkerDiedError
from workings.serve.workload import Throughput, count_pieces

# A worker that died this often without an answer in between will not recover.
_MAX_FAILURES = 3
_SEND_LESS = "Send fewer questions at once, a shorter passage or a shorter program."


class BusyError(WorkingsError):
    """The queue is full.

    Attributes:
        retry_after: Seconds until there should be room.
    """

    retry_after = 1


class StoppingError(WorkingsError):
    """The service is stopping."""


@dataclass(frozen=True)
class BatchingLimits:
    """Limits of the queue and of its batches.

    A third of ``timeout`` bounds the queue, another third one batch. A sixth bounds how long later
    requests that are shorter may overtake. The last sixth is a reserve. So an accepted request is
    answered in time.

    Attributes:
        batch_size: Most questions answered together.
        batch_pieces: Most word pieces answered together; a longer text is answered alone.
        queue_size: Most questions in the queue, however fast they are answered.
        max_wait: Seconds that the first question of a batch waits for others.
        timeout: Seconds until a request without an answer is abandoned.
        pairs: Most pairs of numbers that are combined for a question.
    """

    batch_size: int = 16
    batch_pieces: int = 8192
    queue_size: int = 512
    max_wait: float = 0.005
    timeout: float = 60.0
    pairs: int = 1 << 22

    @property
    def queue_seconds(self) -> float:
        """Most seconds of work in the queue."""
        return self.timeout / 3

    @property
    def batch_seconds(self) -> float:
        """Most seconds of work on one batch."""
        return self.timeout / 3

    @property
    def overtaking_seconds(self) -> float:
        """Most seconds for which later requests may overtake."""
        return self.timeout / 6


@dataclass(frozen=True)
class _Batch:
    jobs: Sequence[Job]
    budget: Budget
    start: float

    @property
    def pieces(self) -> int:
        return sum(job.pieces for job in self.jobs)


class Batcher:
    """Answers questions of many callers in batches. Use it with ``async with``.

    Args:
        reader: Answers the questions; only the worker thread calls it.
        limits: Limits of queue and batches; default ``BatchingLimits()``.
        on_batch: Called with the number of questions of each batch.
        clock: Returns the time in seconds.
    """

    def __init__(
        self,
        reader: Reader,
        limits: BatchingLimits | None = None,
        on_batch: Callable[[int], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.reader, self.limits, self.on_batch = reader, limits or BatchingLimits(), on_batch
        self.throughput = Throughput()
        self._clock = clock
        self._queue = JobQueue(self.limits.batch_size, self.limits.batch_pieces)
        self._running: _Batch | None = None
        self._stop_at = math.inf

    @property
    def queue_length(self) -> int:
        """Questions in the queue at this moment."""
        return len(self._queue)

    @property
    def restarts(self) -> int:
        """How often the worker died and was started again."""
        return self._worker.restarts

    @property
    def status(self) -> str:
        """``ok``, or why questions are not answered: ``stopping``, ``failing`` or ``stuck``."""
        if self._stop_at < math.inf:
            return "stopping"
        if self._worker.failures >= _MAX_FAILURES:
            return "failing"
        running = self._running
        if running and self._clock() - running.start > 2 * self.limits.batch_seconds:
            return "stuck"  # the batch does not even check its budget
        return "ok"

    async def __aenter__(self) -> "Batcher":
        self._worker = Worker()
        self._task = asyncio.create_task(self._work())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop(0)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._queue.refuse(_stopping_error, begun=True)
        await self._worker.close()

    def stop(self, seconds: float) -> None:
        """Refuse requests that have not begun, and stop the others after some seconds."""
        self._stop_at = self._clock() + seconds
        self._queue.refuse(_stopping_error, begun=False)
        if self._running:
            self._running.budget.shorten(seconds)
        # The worker may be between two checks of its budget; its clients get a response in time.
        asyncio.get_running_loop().call_later(seconds, self._refuse_all)

    def _refuse_all(self) -> None:
        self._queue.refuse(_stopping_error, begun=True)
        for job in self._running.jobs if self._running else ():
            if not job.future.done():
                job.future.set_exception(_stopping_error())

    async def ask(self, questions: Sequence[str], passage: str) -> list[Explanation]:
        """Answer questions about one passage, in order.

        Raises:
            BusyError: The queue is full.
            StoppingError: The service is stopping.
            AnswerTimeoutError: The answers took longer than ``limits.timeout``.
            WorkLimitError: The answers need too much work.
            WorkingsError: A question or the passage cannot be used.
        """
        return await self._submit(passage, [(question, None) for question in questions])

    async def run(self, program: str, question: str, passage: str) -> Explanation:
        """Run a program on a passage; raises the same errors as ``ask``."""
        (explanation,) = await self._submit(passage, [(question, Program.parse(program))])
        return explanation

    async def _submit(
        self, passage: str, questions: Sequence[tuple[str, Program | None]]
    ) -> list[Explanation]:
        pieces = [count_pieces(question, passage, program) for question, program in questions]
        self._admit(pieces)
        now, loop = self._clock(), asyncio.get_running_loop()
        seconds = self.throughput.seconds(sum(pieces))
        # Requests are served in the order of arrival, but shorter ones overtake a long one if they
        # arrive within a few times its own duration.
        priority = now + min(4 * seconds, self.limits.overtaking_seconds)
        deadline = now + self.limits.timeout
        request: list[Job] = []
        for (question, program), count in zip(questions, pieces, strict=True):
            future: asyncio.Future[Explanation] = loop.create_future()
            request.append(Job(question, passage, program, count, deadline, future, request))
        self._queue.put(request, priority)
        try:
            async with asyncio.timeout(self.limits.timeout):
                return await asyncio.gather(*(job.future for job in request))
        except TimeoutError as error:
            message = f"The answer took longer than {self.limits.timeout:g} seconds."
            raise AnswerTimeoutError(message, hint=_SEND_LESS) from error
        finally:
            for job in request:  # one failed, or the client left: the others need no answer
                job.future.cancel()

    def _admit(self, pieces: Sequence[int]) -> None:
        """Check that a request can be answered in time.

        Args:
            pieces: The word pieces of each question of the request.

        Raises:
            BusyError: There is too much to do before it.
            StoppingError: The service is stopping.
            WorkLimitError: It is too much for one request.
        """
        if self._stop_at < math.inf:
            raise _stopping_error()
        for work, limit in (
            (sum(pieces), self.limits.timeout),
            (max(pieces), self.limits.batch_seconds),  # one question is one batch at most
        ):
            alone = self.throughput.best_seconds(work)
            if alone > limit:
                message = f"The answer would take about {alone:.0f} seconds."
                raise WorkLimitError(message, hint=_SEND_LESS)
        running = self._running.pieces if self._running else 0
        before = self._queue.pieces + running
        waiting = self.throughput.seconds(before + sum(pieces)) - self.limits.queue_seconds
        too_many = self.queue_length + len(pieces) > self.limits.queue_size
        if too_many or self.status == "stuck" or (before and waiting > 0):
            busy = BusyError("Too many questions are in the queue.", hint="Try again in a moment.")
            busy.retry_after = max(1, math.ceil(waiting))
            raise busy

    async def _work(self) -> None:
        while True:
            await self._queue.wait()
            await asyncio.sleep(self.limits.max_wait)
            jobs = self._queue.next_batch()
            if jobs:
                self.on_batch(len(jobs))
                await self._run_batch(jobs)

    async def _run_batch(self, jobs: Sequence[Job]) -> None:
        now, limits = self._clock(), self.limits
        last = min(max(job.deadline for job in jobs), self._stop_at)
        seconds = max(0.0, min(limits.batch_seconds, last - now))

        def abandoned() -> bool:
            return all(job.future.done() for job in jobs)

        budget = Budget(seconds, limits.pairs * len(jobs), abandoned, self._clock)
        self._running = batch = _Batch(jobs, budget, now)
        try:
            outcomes = await self._worker.run(partial(self._answer, jobs, budget))
        except Exception as error:  # a bug must fail this batch only, not stop the service
            outcomes = [error] * len(jobs)
        finally:
            self._running = None
        # The time of given programs does not measure how fast questions are answered.
        if not abandoned() and any(job.program is None for job in jobs):
            self.throughput.record(batch.pieces, self._clock() - now)
        for job, outcome in zip(jobs, outcomes, strict=True):
            self._complete(job, outcome, alone=len(jobs) == 1)

    def _answer(self, jobs: Sequence[Job], budget: Budget) -> list[Explanation | Exception]:
        """Return the explanation or the error of every job, in order. Runs in the thread."""
        questions = [(job.question, job.passage) for job in jobs if job.program is None]
        with budget:
            answers = iter(ask_each(self.reader, questions))
            return [
                next(answers) if job.program is None else self._run(job, job.program)
                for job in jobs
            ]

    def _run(self, job: Job, program: Program) -> Explanation | WorkingsError:
        try:
            return self.reader.run(program, job.question, job.passage)
        except WorkingsError as error:
            return error

    def _complete(self, job: Job, outcome: Explanation | Exception, *, alone: bool) -> None:
        if job.future.done():  # the request was abandoned in the meantime
            return
        if not isinstance(outcome, Exception):
            job.future.set_result(outcome)
        elif self._stop_at <= self._clock():
            job.future.set_exception(_stopping_error())
        elif alone or not _concerns_the_batch(outcome):
            job.future.set_exception(outcome)
        else:  # another question of the batch may be the cause
            self._queue.retry_alone(job)


def _concerns_the_batch(error: Exception) -> bool:
    """Whether an error need not be due to the question that it was reported for."""
    return not isinstance(error, WorkingsError) or isinstance(
        error, AnswerTimeoutError | WorkLimitError | WorkerDiedError
    )


def _stopping_error() -> StoppingError:
    return StoppingError("The service is stopping.", hint="Send the request again in a moment.")
