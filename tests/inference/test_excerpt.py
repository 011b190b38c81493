"""Tests of what is read of a passage for a question."""

from itertools import pairwise

import pytest

from tiny import PASSAGE, QUESTION, tiny_tokenizer
from workings.errors import InputError
from workings.inference import excerpt
from workings.inference.excerpt import LongPassage, PassageExcerpt, WholePassage, prepare_passage

TOKENIZER = tiny_tokenizer(PASSAGE, QUESTION)
FILLER = "The club moved to the first field in May. " * 400
LONG = f"{FILLER}{PASSAGE} {FILLER}"


def read_parts(text: str, question: str) -> PassageExcerpt:
    prepared = prepare_passage(text, TOKENIZER)
    assert isinstance(prepared, LongPassage)
    return prepared.for_question(question)


def test_short_passage_is_read_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = len(TOKENIZER.encode(PASSAGE, add_special_tokens=False).ids)
    monkeypatch.setattr(excerpt, "MAX_WHOLE_TOKENS", tokens)
    prepared = prepare_passage(PASSAGE, TOKENIZER)
    assert isinstance(prepared, WholePassage)
    assert prepared.for_question(QUESTION).input.tokens.text == PASSAGE
    monkeypatch.setattr(excerpt, "MAX_WHOLE_TOKENS", tokens - 1)
    assert isinstance(prepare_passage(PASSAGE, TOKENIZER), LongPassage)


def test_matching_part_of_a_long_passage_is_read() -> None:
    found = read_parts(LONG, "With kicks of how many yards did Ben Okafor answer?")
    assert PASSAGE in found.input.tokens.text
    assert {24, 31, 47} <= {number.value for number in found.input.values.numbers}


def test_tokens_read_are_bounded() -> None:
    found = read_parts(LONG, QUESTION)
    assert excerpt.MAX_EXCERPT_TOKENS - 60 < len(found.input) <= excerpt.MAX_EXCERPT_TOKENS
    assert len(read_parts("5 " * 40_000, QUESTION).input) <= excerpt.MAX_EXCERPT_TOKENS


def test_parts_are_in_text_order_and_do_not_touch() -> None:
    text = f"Ada kicked. {FILLER}Ben kicked. {FILLER}Ada kicked a field goal."
    parts = read_parts(text, "Who kicked?").parts
    assert len(parts.parts) >= 2
    assert all(first[1] < second[0] for first, second in pairwise(parts.parts))
    assert parts.text == parts.gap.join(text[start:end] for start, end in parts.parts)


def test_no_number_continues_across_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excerpt, "MAX_EXCERPT_TOKENS", 8)
    text = f"Ada kicked in 24{' ' * 200}{FILLER}{' ' * 200}million yards. Ben kicked."
    numbers = read_parts(text, "kicked yards").input.values.numbers
    assert all(number.value < 10_000 for number in numbers)


def test_at_least_one_block_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excerpt, "MAX_EXCERPT_TOKENS", 1)
    assert len(read_parts(LONG, QUESTION).input) > 1


def test_question_without_match_reads_the_beginning() -> None:
    assert read_parts(LONG, "Zebra?").parts.parts[0][0] == 0


def test_blank_parts_are_passed_over() -> None:
    text = f"{' ' * 100_000}Ada kicked a 24-yard field goal."
    assert "Ada kicked" in read_parts(text, "Zebra?").input.tokens.text


def test_text_without_tokens() -> None:
    with pytest.raises(InputError, match="no readable words"):
        read_parts("\u200b" * 100_000, QUESTION)


def test_blocks_are_tokenized_once(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = prepare_passage(LONG, TOKENIZER)
    assert isinstance(prepared, LongPassage)
    first = prepared.for_question(QUESTION)
    counted = dict(prepared._sizes)
    monkeypatch.setattr(prepared.index.__class__, "of", None)  # the index is not built again
    again = prepared.for_question(QUESTION)
    assert again.parts == first.parts
    assert prepared._sizes == counted
