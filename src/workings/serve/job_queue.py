"""The queue of questions: ordered by priority, taken in batches of bounded work."""

import asyncio
import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from workings.explain import Explanation
from workings.program import Program


@dataclass(eq=False)
class Job:
    """A question to answer, or a program to run for it.

    Attributes:
        question: The question.
        passage: The passage.
        program: The program to run; None to answer the question.
        pieces: The estimated work, in word pieces.
        deadline: When the answer is no longer needed.
        future: Receives the explanation.
        request: All jobs of its request.
        begun: Whether it has been taken from the queue.
        alone: Whether it must be answered in a batch of its own.
    """

    question: str
    passage: str
    program: Program | None
    pieces: int
    deadline: float
    future: asyncio.Future[Explanation]
    request: Sequence["Job"]
    begun: bool = False
    alone: bool = False


class JobQueue:
    """Jobs that wait, lowest priority number first.

    Args:
        batch_size: Most jobs of a batch.
        batch_pieces: Most word pieces of a batch; a longer job is a batch of its own.
    """

    def __init__(self, batch_size: int, batch_pieces: int) -> None:
        self.batch_size, self.batch_pieces = batch_size, batch_pieces
        self._heap: list[tuple[float, int, Job]] = []
        self._order = count()
        self._filled = asyncio.Event()

    def __len__(self) -> int:
        return sum(not job.future.done() for _, _, job in self._heap)

    @property
    def pieces(self) -> int:
        """Word pieces of all jobs that somebody waits for."""
        return sum(job.pieces for _, _, job in self._heap if not job.future.done())

    def put(self, jobs: Sequence[Job], priority: float) -> None:
        """Add jobs."""
        for job in jobs:
            heapq.heappush(self._heap, (priority, next(self._order), job))
        self._filled.set()

    def retry_alone(self, job: Job) -> None:
        """Add a job that failed together with others; it comes first, in a batch of its own."""
        job.alone = True
        self.put([job], 0.0)

    async def wait(self) -> None:
        """Wait until there are jobs."""
        await self._filled.wait()

    def next_batch(self) -> list[Job]:
        """Take the next jobs; those that nobody waits for are dropped."""
        batch: list[Job] = []
        while self._heap and len(batch) < self.batch_size:
            job = self._heap[0][2]
            if not job.future.done():
                if batch and not self._fits(job, batch):
                    break
                job.begun = True
                batch.append(job)
            heapq.heappop(self._heap)
        if not self._heap:
            self._filled.clear()
        return batch

    def _fits(self, job: Job, batch: Sequence[Job]) -> bool:
        pieces = job.pieces + sum(other.pieces for other in batch)
        return pieces <= self.batch_pieces and not job.alone and not batch[0].alone

    def refuse(self, error: Callable[[], Exception], *, begun: bool) -> None:
        """Fail the jobs of requests that have not begun.

        Args:
            error: Makes the error of a job.
            begun: Also fail the waiting jobs of requests that have begun.
        """
        for _, _, job in self._heap:
            if not job.future.done() and (begun or not any(other.begun for other in job.request)):
                job.future.set_exception(error())
