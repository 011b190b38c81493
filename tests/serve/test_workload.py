"""Tests of the estimates of work and throughput."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.program import Program
from workings.serve.workload import Throughput, count_pieces


def test_pieces_by_hand() -> None:
    # Six words and five marks; the 26 characters would give only 26 // 4 = 6.
    assert count_pieces("How many?", "Ada, 7 and 9 ...") == 256 + 11
    assert count_pieces("Who?", "x" * 4000) == 256 + 4005 // 4


def test_steps_of_a_program_are_work() -> None:
    program = Program.parse("count(find)")
    assert count_pieces("Who?", "Ada.", program) == count_pieces("Who?", "Ada.")
    for _ in range(14):
        program = Program("filter", (program,))
    assert count_pieces("Who?", "Ada.", program) == 2 * count_pieces("Who?", "Ada.")


@given(st.text(), st.text(), st.text())
def test_more_text_is_never_less_work(question: str, passage: str, more: str) -> None:
    pieces = count_pieces(question, passage)
    assert pieces >= 256
    assert count_pieces(question, f"{passage} {more}") >= pieces


def test_throughput_follows_the_batches() -> None:
    throughput = Throughput()
    assert throughput.seconds(1500) == 1.0
    throughput.record(2500, 1.0)  # faster: a fifth of the way
    assert throughput.pieces_per_second == pytest.approx(1700)
    throughput.record(700, 1.0)  # slower: half of the way
    assert throughput.pieces_per_second == pytest.approx(1200)
    assert throughput.seconds(600) == pytest.approx(0.5)
    assert throughput.best_seconds(1500) == 1.0
