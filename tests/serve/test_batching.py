"""Requests that arrive together share a batch; none spoils another's."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest

from tiny import PASSAGE, QUESTION
from workings.errors import InputError, ProgramError
from workings.explain import Explanation
from workings.reader import Reader
from workings.serve.batching import AnswerTimeoutError, Batcher, BatchingLimits, BusyError

# Other work on the machine must not fail a test for being slow.
PATIENT = BatchingLimits(timeout=3600)


async def gather(batcher: Batcher, *questions: str) -> list[object]:
    async with batcher:
        asked = (batcher.ask([question], PASSAGE) for question in questions)
        return list(await asyncio.gather(*asked, return_exceptions=True))


def test_together_is_one_batch(reader: Reader) -> None:
    sizes: list[int] = []
    found = asyncio.run(gather(Batcher(reader, PATIENT, sizes.append), QUESTION, "Who?", "When?"))
    assert sizes == [3]
    assert [cast(list[Explanation], one)[0].question for one in found] == [
        QUESTION,
        "Who?",
        "When?",
    ]


def test_batches_are_bounded(reader: Reader) -> None:
    sizes: list[int] = []
    asyncio.run(gather(Batcher(reader, replace(PATIENT, batch=2), sizes.append), "a", "b", "c"))
    assert sizes == [2, 1]


def test_a_bad_question_fails_alone(reader: Reader) -> None:
    good, bad = asyncio.run(gather(Batcher(reader, PATIENT), QUESTION, " "))
    assert isinstance(good, list)
    assert isinstance(bad, InputError)


def test_programs_and_questions_share_a_batch(reader: Reader) -> None:
    async def both(batcher: Batcher) -> list[object]:
        async with batcher:
            return list(
                await asyncio.gather(
                    batcher.run("count(find)", QUESTION, PASSAGE),
                    batcher.ask([QUESTION], PASSAGE),
                    batcher.run("cuont(find)", QUESTION, PASSAGE),
                    return_exceptions=True,
                )
            )

    ran, asked, bad = asyncio.run(both(Batcher(reader, PATIENT)))
    assert cast(Explanation, ran).program == "count(find)"
    assert isinstance(asked, list)
    assert isinstance(bad, ProgramError)


def test_what_does_not_fit_is_refused_at_once(reader: Reader) -> None:
    found = asyncio.run(gather(Batcher(reader, replace(PATIENT, waiting=2)), "a", "b", "c"))
    assert [isinstance(one, BusyError) for one in found] == [False, False, True]


class Slow:
    """A reader that waits to be let go."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault, self.asked = fault, list[str]()

    def ask_many(self, pairs: Sequence[tuple[str, str]]) -> list[Explanation]:
        self.asked += [question for question, _ in pairs]
        if self.fault:
            raise self.fault
        return []


def test_what_was_given_up_is_not_answered() -> None:
    slow = Slow()
    batcher = Batcher(cast(Reader, slow), BatchingLimits(timeout=0.0, linger=0.01))
    found = asyncio.run(gather(batcher, "a", "b"))
    assert all(isinstance(one, AnswerTimeoutError) for one in found)
    assert slow.asked == []


def test_a_fault_of_ours_stops_nothing() -> None:
    async def twice(batcher: Batcher) -> None:
        async with batcher:
            for _ in range(2):
                with pytest.raises(ZeroDivisionError):
                    await batcher.ask(["a"], PASSAGE)

    asyncio.run(twice(Batcher(cast(Reader, Slow(ZeroDivisionError())))))
