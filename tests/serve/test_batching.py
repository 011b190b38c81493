"""Tests of batching: concurrent requests share a batch, and an error fails its request only."""

import asyncio
import threading
from dataclasses import replace
from math import ceil
from typing import cast

import pytest
from browsing import NO_TIMEOUT
from stub_reader import StubReader

from tiny import PASSAGE, QUESTION
from workings.budget import check_budget
from workings.errors import AnswerTimeoutError, InputError, ProgramError, WorkLimitError
from workings.explain import Explanation
from workings.reader import Reader
from workings.serve.batching import Batcher, BatchingLimits, BusyError, StoppingError
from workings.serve.worker import WorkerDiedError
from workings.serve.workload import count_pieces


async def ask_together(batcher: Batcher, *questions: str) -> list[object]:
    async with batcher:
        answers = (batcher.ask([question], PASSAGE) for question in questions)
        return list(await asyncio.gather(*answers, return_exceptions=True))


def test_concurrent_questions_share_a_batch(reader: Reader) -> None:
    sizes: list[int] = []
    questions = [QUESTION, "Who?", "When?"]
    batcher = Batcher(reader, NO_TIMEOUT, sizes.append)
    answers = asyncio.run(ask_together(batcher, *questions))
    assert sizes == [3]
    assert [cast(list[Explanation], answer)[0].question for answer in answers] == questions


def test_batch_size_is_limited(reader: Reader) -> None:
    sizes: list[int] = []
    batcher = Batcher(reader, replace(NO_TIMEOUT, batch_size=2), sizes.append)
    asyncio.run(ask_together(batcher, "a", "b", "c"))
    assert sizes == [2, 1]


def test_bad_question_fails_alone(reader: Reader) -> None:
    good, bad = asyncio.run(ask_together(Batcher(reader, NO_TIMEOUT), QUESTION, " "))
    assert isinstance(good, list)
    assert isinstance(bad, InputError)


def test_programs_and_questions_share_a_batch(reader: Reader) -> None:
    async def run_and_ask(batcher: Batcher) -> list[object]:
        async with batcher:
            return list(
                await asyncio.gather(
                    batcher.run("count(find)", QUESTION, PASSAGE),
                    batcher.ask([QUESTION], PASSAGE),
                    batcher.run("cuont(find)", QUESTION, PASSAGE),
                    return_exceptions=True,
                )
            )

    program, answers, bad = asyncio.run(run_and_ask(Batcher(reader, NO_TIMEOUT)))
    assert cast(Explanation, program).program == "count(find)"
    assert isinstance(answers, list)
    assert isinstance(bad, ProgramError)


def test_rejects_questions_beyond_the_queue(reader: Reader) -> None:
    batcher = Batcher(reader, replace(NO_TIMEOUT, queue_size=2))
    answers = asyncio.run(ask_together(batcher, "a", "b", "c"))
    assert [isinstance(answer, BusyError) for answer in answers] == [False, False, True]


def asked(answers: object) -> list[str]:
    """The questions that answers belong to."""
    return [answer.question for answer in cast(list[Explanation], answers)]


def stub_batcher(reader: StubReader, limits: BatchingLimits = NO_TIMEOUT) -> Batcher:
    return Batcher(reader, limits)


async def begin(batcher: Batcher, reader: StubReader, question: str) -> asyncio.Task[object]:
    """Submit a question, and wait until the worker has it; it is answered on release."""
    reader.released.clear()
    task: asyncio.Task[object] = asyncio.create_task(batcher.ask([question], PASSAGE))
    await asyncio.to_thread(reader.entered.wait)
    return task


def test_a_long_text_is_a_batch_of_its_own_and_lets_shorter_ones_pass() -> None:
    async def scenario() -> None:
        async with stub_batcher(reader) as batcher:
            first = await begin(batcher, reader, "first")
            long = asyncio.create_task(batcher.ask(["long"], "word " * 20_000))
            await asyncio.sleep(0)
            short = [asyncio.create_task(batcher.ask([text], PASSAGE)) for text in ("a", "b")]
            await asyncio.sleep(0)
            reader.released.set()
            await asyncio.gather(first, long, *short)

    reader = StubReader()
    asyncio.run(scenario())
    assert reader.batches == [["first"], ["a", "b"], ["long"]]


def test_questions_are_accepted_only_if_they_can_be_answered_in_time() -> None:
    async def scenario() -> list[object]:
        async with stub_batcher(reader, BatchingLimits(timeout=9, queue_size=10**6)) as batcher:
            batcher.throughput.pieces_per_second = 1000.0  # 3,000 pieces in a third of the time
            first = await begin(batcher, reader, "first")
            others = [asyncio.create_task(batcher.ask(["a"], "b")) for _ in range(20)]
            await asyncio.sleep(0)
            reader.released.set()
            return list(await asyncio.gather(first, *others, return_exceptions=True))

    reader = StubReader()
    first, *others = asyncio.run(scenario())
    assert isinstance(first, list)
    busy = [other for other in others if isinstance(other, BusyError)]
    # A question has 256 + 2 pieces; the first one has a longer passage.
    expected = (3000 - count_pieces("first", PASSAGE)) // 258
    assert len(others) - len(busy) == expected
    assert others[expected:] == busy
    assert busy[0].retry_after == 1


def test_retry_after_is_the_time_until_there_is_room() -> None:
    async def scenario() -> None:
        async with stub_batcher(reader, BatchingLimits(timeout=60)) as batcher:
            batcher.throughput.pieces_per_second = 100.0
            first = await begin(batcher, reader, "first")
            pieces = count_pieces("first", PASSAGE) + count_pieces("x", "word " * 3000)
            with pytest.raises(BusyError) as busy:
                await batcher.ask(["x"], "word " * 3000)
            assert busy.value.retry_after == ceil(pieces / 100 - 20)
            reader.released.set()
            await first

    reader = StubReader()
    asyncio.run(scenario())


def test_requests_that_take_too_long_alone_are_refused() -> None:
    async def scenario() -> None:
        async with stub_batcher(StubReader(), BatchingLimits(timeout=10)) as batcher:
            # 256 + 100,002 // 4 pieces at 1,500 a second, the initial throughput.
            with pytest.raises(WorkLimitError, match="would take about 17 seconds"):
                await batcher.ask(["x"], "word " * 20_000)

    asyncio.run(scenario())


def test_question_that_takes_longer_than_a_batch_may_is_refused() -> None:
    """It would be accepted, and ended before it is answered."""

    async def scenario() -> None:
        limits = BatchingLimits(timeout=30)
        async with stub_batcher(StubReader(), limits) as batcher:
            with pytest.raises(WorkLimitError, match="would take about 17 seconds"):
                await batcher.ask(["x"], "word " * 20_000)
            answers = await batcher.ask(["x", "y"], "word " * 9_000)  # 16 seconds, in two batches
            assert len(answers) == 2

    asyncio.run(scenario())


def test_abandoned_questions_are_not_answered() -> None:
    async def scenario() -> None:
        async with stub_batcher(reader) as batcher:
            first = await begin(batcher, reader, "first")
            left = asyncio.create_task(batcher.ask(["left"], PASSAGE))
            await asyncio.sleep(0)
            left.cancel()
            await asyncio.gather(left, return_exceptions=True)
            assert batcher.queue_length == 0
            reader.released.set()
            await first
            await batcher.ask(["last"], PASSAGE)

    reader = StubReader()
    asyncio.run(scenario())
    assert reader.batches == [["first"], ["last"]]


def test_work_ends_when_its_client_leaves() -> None:
    ended = threading.Event()

    def work_until_stopped(questions: list[str]) -> None:
        if questions == ["left"]:
            try:
                while True:
                    check_budget()
            finally:
                ended.set()

    async def scenario() -> None:
        async with stub_batcher(reader) as batcher:
            left = await begin(batcher, reader, "left")
            reader.released.set()
            left.cancel()
            await asyncio.to_thread(ended.wait)
            assert asked(await batcher.ask(["next"], PASSAGE)) == ["next"]

    reader = StubReader(work_until_stopped)
    asyncio.run(scenario())


def test_slow_work_ends_after_its_time_and_fails_alone() -> None:
    now = [0.0]

    def work_until_stopped(questions: list[str]) -> None:
        while "slow" in questions:
            now[0] += 1
            check_budget()

    async def scenario() -> list[object]:
        async with Batcher(reader, NO_TIMEOUT, clock=lambda: now[0]) as batcher:
            answers = (batcher.ask([question], PASSAGE) for question in ("a", "slow", "b"))
            return list(await asyncio.gather(*answers, return_exceptions=True))

    reader = StubReader(work_until_stopped)
    first, slow, last = asyncio.run(scenario())
    assert (asked(first), asked(last)) == (["a"], ["b"])
    assert isinstance(slow, AnswerTimeoutError)
    assert NO_TIMEOUT.batch_seconds < now[0] < NO_TIMEOUT.timeout


def test_a_bug_does_not_stop_the_worker() -> None:
    def fail(_questions: list[str]) -> None:
        raise ZeroDivisionError

    async def scenario() -> None:
        async with stub_batcher(StubReader(fail)) as batcher:
            for _ in range(2):
                with pytest.raises(ZeroDivisionError):
                    await batcher.ask(["a"], PASSAGE)
            assert (batcher.status, batcher.restarts) == ("ok", 0)

    asyncio.run(scenario())


class Panic(BaseException):
    """What native libraries raise when they panic: not an Exception."""


def test_a_worker_that_dies_is_replaced() -> None:
    def panic(questions: list[str]) -> None:
        if "bad" in questions:
            raise Panic

    async def scenario() -> None:
        async with stub_batcher(StubReader(panic), replace(NO_TIMEOUT, max_wait=0.05)) as batcher:
            answers = (batcher.ask([question], PASSAGE) for question in ("good", "bad"))
            good, bad = await asyncio.gather(*answers, return_exceptions=True)
            assert asked(good) == ["good"]
            assert isinstance(bad, WorkerDiedError)
            assert batcher.restarts == 2  # in the batch, and alone
            assert batcher.status == "ok"
            for _ in range(3):
                with pytest.raises(WorkerDiedError):
                    await batcher.ask(["bad"], PASSAGE)
            assert batcher.status == "failing"
            assert asked(await batcher.ask(["good"], PASSAGE)) == ["good"]
            assert batcher.status == "ok"

    asyncio.run(scenario())


def test_work_that_does_not_check_its_budget_is_reported() -> None:
    async def scenario() -> None:
        now = [0.0]
        batcher = Batcher(reader, BatchingLimits(timeout=30), clock=lambda: now[0])
        async with batcher:
            first = await begin(batcher, reader, "first")
            now[0] = 19.0
            assert batcher.status == "ok"
            now[0] = 21.0  # twice the ten seconds of a batch
            assert batcher.status == "stuck"
            with pytest.raises(BusyError):
                await batcher.ask(["a"], PASSAGE)
            reader.released.set()
            await asyncio.gather(first, return_exceptions=True)

    reader = StubReader()
    asyncio.run(scenario())


def test_stop_answers_what_has_begun_and_refuses_the_rest() -> None:
    async def scenario() -> None:
        limits = replace(NO_TIMEOUT, batch_size=2)
        async with stub_batcher(reader, limits) as batcher:
            reader.released.clear()
            begun = asyncio.create_task(batcher.ask(["a", "b", "c"], PASSAGE))
            await asyncio.to_thread(reader.entered.wait)
            waiting = asyncio.create_task(batcher.ask(["waiting"], PASSAGE))
            await asyncio.sleep(0)
            batcher.stop(seconds=3600)
            assert batcher.status == "stopping"
            with pytest.raises(StoppingError):
                await waiting
            with pytest.raises(StoppingError):
                await batcher.ask(["late"], PASSAGE)
            reader.released.set()
            assert asked(await begun) == ["a", "b", "c"]

    reader = StubReader()
    asyncio.run(scenario())


def test_stop_ends_work_that_takes_too_long() -> None:
    def work_until_stopped(_questions: list[str]) -> None:
        while True:
            check_budget()

    async def scenario() -> None:
        async with stub_batcher(reader) as batcher:
            begun = await begin(batcher, reader, "a")
            reader.released.set()
            batcher.stop(seconds=0.05)
            with pytest.raises(StoppingError):
                await begun

    reader = StubReader(work_until_stopped)
    asyncio.run(scenario())


def test_stop_refuses_work_that_does_not_check_its_budget() -> None:
    """The client gets its response before the server gives up waiting for it."""

    async def scenario() -> None:
        async with stub_batcher(reader) as batcher:
            begun = await begin(batcher, reader, "a")
            batcher.stop(seconds=0.05)
            with pytest.raises(StoppingError):
                await asyncio.wait_for(begun, 60)
            reader.released.set()

    reader = StubReader()
    asyncio.run(scenario())
