"""Tests of batching: concurrent requests share a batch, and an error fails its request only."""

import asyncio
from dataclasses import replace
from typing import cast
from unittest.mock import Mock

import pytest
from browsing import NO_TIMEOUT

from tiny import PASSAGE, QUESTION
from workings.errors import InputError, ProgramError
from workings.explain import Explanation
from workings.reader import Reader
from workings.serve.batching import AnswerTimeoutError, Batcher, BatchingLimits, BusyError


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


def test_abandoned_questions_are_not_answered() -> None:
    reader = Mock(spec=Reader)
    batcher = Batcher(reader, BatchingLimits(timeout=0.0, max_wait=0.01))
    answers = asyncio.run(ask_together(batcher, "a", "b"))
    assert all(isinstance(answer, AnswerTimeoutError) for answer in answers)
    questions = [question for call in reader.ask_many.call_args_list for question in call.args[0]]
    assert questions == []


def test_a_bug_does_not_stop_the_worker() -> None:
    async def ask_twice(batcher: Batcher) -> None:
        async with batcher:
            for _ in range(2):
                with pytest.raises(ZeroDivisionError):
                    await batcher.ask(["a"], PASSAGE)

    reader = Mock(spec=Reader)
    reader.ask_many.side_effect = ZeroDivisionError
    asyncio.run(ask_twice(Batcher(reader)))
