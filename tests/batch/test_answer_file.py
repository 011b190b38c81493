"""Answering into a file loses nothing: neither the input, nor files that exist, nor answers."""

import io
import json
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.batch.answer_lines import answer_start, json_line
from workings.batch.answering import Chunk, ChunkResult, Counts, FileAnswerer
from workings.batch.earlier_answers import EarlierAnswers, rejects_path
from workings.batch.questions import RejectedLine, Request, read_jsonl, read_questions
from workings.errors import DataError, WorkingsError


def answer_line(request: Request) -> str:
    rest = {"answer": ["34"], "value": "34", "confidence": 0.5, "program": "find-num(find)"}
    return json_line(answer_start(request) | rest)


class StubBackend:
    """Answers every request with 34."""

    def answer(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        for chunk in chunks:
            requests = [line for line in chunk if isinstance(line, Request)]
            rejected = [line for line in chunk if isinstance(line, RejectedLine)]
            yield ChunkResult(list(map(answer_line, requests)), rejected)


ANSWERER = FileAnswerer(StubBackend())


def question(number: int, text: str | None = None) -> str:
    return json.dumps(
        {"id": f"q{number}", "question": text or f"Who is é{number}?", "passage": "P"}
    )


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Four questions, of which the third is malformed."""
    lines = [question(1), question(2), "{broken", question(4)]
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def into(out: Path, source: Path) -> Counts:
    return ANSWERER.into(out, read_questions(source), source)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def assert_refused(work: Callable[[], object], folder: Path, match: str) -> None:
    """The work is refused with a hint, and no file of the folder is changed, added or removed."""
    before = contents(folder)
    with pytest.raises(WorkingsError, match=match) as caught:
        work()
    assert caught.value.hint
    assert contents(folder) == before


@pytest.mark.parametrize(
    "text",
    [
        "my notes",
        '{"a": 1}',
        "{",
        '{"line": 1',
        '{"line": 1, "question": "Who is é1?"}',
        '{"line": 1, "text": "mine"}',
        "my notes\n",
        "\n",
        '{"line": 1, "id": "q1", "question": "Who is é1?", "passage_id": "0"}\n',
        "[1]\n",
    ],
)
def test_other_files_are_not_changed(text: str, source: Path, tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text(text, "utf-8")
    assert_refused(lambda: into(out, source), tmp_path, "not a file of answers")


@pytest.mark.parametrize("change", [{"passage": "Q"}, {"id": "q9"}])
@pytest.mark.parametrize("end", [-1, -20])
def test_answers_about_another_passage_are_not_continued(
    change: dict[str, str], end: int, source: Path, tmp_path: Path
) -> None:
    """Complete or cut: the same question about an edited passage is another question."""
    out = tmp_path / "answers.jsonl"
    request = Request(1, "q1", "Who is é1?", "P")
    out.write_text(answer_line(request)[:end], "utf-8")
    lines = [json.dumps({**json.loads(question(1)), **change}), question(2)]
    source.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    assert_refused(lambda: into(out, source), tmp_path, "other questions.*line 1")


def test_start_of_an_answer_to_another_question_is_not_cut(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    out.write_text('{"line": 1, "id": "q1", "question": "When', "utf-8")
    assert_refused(lambda: into(out, source), tmp_path, "other questions.*line 1")


@pytest.mark.parametrize("other", [1, 2, 4])
def test_nothing_is_added_to_answers_to_other_questions(
    other: int, source: Path, tmp_path: Path
) -> None:
    """The check comes before the first answer is written, also if only the last one differs."""
    out = tmp_path / "answers.jsonl"
    out.write_text(answer_line(Request(other, "q", "Another question?", "P")), "utf-8")
    assert_refused(lambda: into(out, source), tmp_path, f"other questions.*line {other}")


def test_answers_to_more_questions_are_not_continued(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    out.write_text(answer_line(Request(5, "q5", "Who is é5?", "P")), "utf-8")
    assert_refused(lambda: into(out, source), tmp_path, "other questions.*line 5")


def test_rejected_line_in_the_place_of_an_answer_is_refused(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    out.write_text(answer_line(Request(3, "q3", "{broken", "P")), "utf-8")
    assert_refused(lambda: into(out, source), tmp_path, "other questions.*line 3")


def test_every_interrupted_run_continues(source: Path, tmp_path: Path) -> None:
    """However many bytes were written: the final file is the same."""
    complete = tmp_path / "complete.jsonl"
    into(complete, source)
    expected = complete.read_bytes()
    first_line = expected.index(b"\n")
    for size in range(len('{"line": 1, "'), len(expected) + 1):
        out = tmp_path / "answers.jsonl"
        out.write_bytes(expected[:size])
        kept = expected[:size].count(b"\n")
        if size == first_line or expected[size : size + 1] == b"\n":
            kept += 1  # a complete answer that lacks its line end
        assert into(out, source) == Counts(3 - kept, kept, 1), size
        assert out.read_bytes() == expected, size


def test_empty_file_is_used(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    out.touch()
    assert into(out, source) == Counts(3, 0, 1)


def name_itself(source: Path) -> Path:
    return source


def name_by_parent(source: Path) -> Path:
    (source.parent / "sub").mkdir()
    return source.parent / "sub" / ".." / source.name


def name_by_symbolic_link(source: Path) -> Path:
    link = source.parent / "link.jsonl"
    link.symlink_to(source)
    return link


def name_by_hard_link(source: Path) -> Path:
    link = source.parent / "hard.jsonl"
    link.hardlink_to(source)
    return link


@pytest.mark.parametrize(
    "name", [name_itself, name_by_parent, name_by_symbolic_link, name_by_hard_link]
)
@pytest.mark.parametrize("text", [question(1), answer_line(Request(1, "q", "Who is é1?", "P"))])
def test_output_is_not_the_input(name: Callable[[Path], Path], text: str, source: Path) -> None:
    source.write_text(text, "utf-8")
    out = name(source)
    assert_refused(lambda: into(out, source), source.parent, "is the input file")


def test_output_is_not_the_input_by_its_descriptor(source: Path) -> None:
    with source.open() as file:
        lines = read_jsonl(file)
        assert_refused(
            lambda: ANSWERER.into(source, lines, file.fileno()), source.parent, "is the input file"
        )


def test_rejected_lines_are_not_answered_into_their_parent(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    into(out, source)
    rejects = rejects_path(out)
    assert_refused(lambda: into(out, rejects), tmp_path, "is the input file")


@pytest.mark.parametrize(
    "text", ["my notes", "my notes\n", '{"line": 1}\n', '{"question": "Who?"}']
)
def test_other_file_in_the_place_of_rejects_is_not_changed(
    text: str, source: Path, tmp_path: Path
) -> None:
    (tmp_path / "answers.bad.jsonl").write_text(text, "utf-8")
    out = tmp_path / "answers.jsonl"
    assert_refused(lambda: into(out, source), tmp_path, "not a file of rejected lines")


def test_rejects_of_an_output_that_was_moved_are_not_changed(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    into(out, source)
    out.rename(tmp_path / "first.jsonl")
    assert_refused(lambda: into(out, source), tmp_path, "answers.jsonl does not")


def test_corrected_line_is_answered_and_its_rejection_removed(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    assert into(out, source) == Counts(3, 0, 1)
    assert json.loads(rejects_path(out).read_text("utf-8"))["text"] == "{broken"
    source.write_text(source.read_text("utf-8").replace("{broken", question(3)), "utf-8")
    assert into(out, source) == Counts(1, 3, 0)
    assert sorted(contents(tmp_path)) == ["answers.jsonl", "questions.jsonl"]


def test_rejects_file_is_created_when_needed(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"

    class WatchingBackend(StubBackend):
        def answer(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
            assert not rejects_path(out).exists()
            yield from super().answer(chunks)

    FileAnswerer(WatchingBackend()).into(out, read_questions(source))
    assert len(rejects_path(out).read_text("utf-8").splitlines()) == 1


def test_outputs_have_rejects_files_of_their_own() -> None:
    names = ["a.jsonl", "a.json", "a.txt", "a.b.jsonl", "a.bad.jsonl"]
    assert [rejects_path(Path(name)).name for name in names] == [
        "a.bad.jsonl",
        "a.json.bad.jsonl",
        "a.txt.bad.jsonl",
        "a.b.bad.jsonl",
        "a.bad.bad.jsonl",
    ]


def test_second_writer_is_refused(source: Path, tmp_path: Path) -> None:
    """The second run begins while the first one is answering, by another path."""
    out, link = tmp_path / "answers.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(out)
    messages: list[str] = []

    class InterruptedBackend(StubBackend):
        def answer(self, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
            for path in (out, link):
                with pytest.raises(DataError) as caught:
                    into(path, source)
                messages.append(caught.value.message)
            yield from super().answer(chunks)

    FileAnswerer(InterruptedBackend()).into(out, read_questions(source))
    holder = f"process {os.getpid()} on {socket.gethostname()} is writing to it"
    assert messages == [f"{out}: {holder}", f"{link}: {holder}"]
    assert [json.loads(line)["line"] for line in out.read_text("utf-8").splitlines()] == [1, 2, 4]


def test_lock_leaves_no_files(source: Path, tmp_path: Path) -> None:
    into(tmp_path / "answers.jsonl", source)
    names = ["answers.bad.jsonl", "answers.jsonl", "questions.jsonl"]
    assert sorted(contents(tmp_path)) == names


@pytest.mark.skipif(sys.platform != "linux", reason="the devices are those of Linux")
def test_device_is_not_an_output(source: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for out in (tmp_path, Path(), Path(".."), pipe, Path("/dev/full"), Path("/dev/null")):
        assert_refused(partial(into, out, source), tmp_path, "not a regular file")
    link = tmp_path / "link.bad.jsonl"
    link.symlink_to("/dev/null")
    assert_refused(lambda: into(tmp_path / "link.jsonl", source), tmp_path, "not a regular file")


RECORDS = st.dictionaries(
    st.sampled_from(["line", "id", "question", "passage_id", "answer"]), st.integers()
)


OTHERS = st.binary().filter(lambda raw: not raw.startswith(b'{"line": '))


@given(OTHERS | RECORDS.map(lambda record: json.dumps(record).encode()))
def test_any_other_bytes_are_refused(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "out"
    path.write_bytes(raw)
    if raw:
        with pytest.raises(DataError, match="not a file of answers"):
            EarlierAnswers.read(path)
    else:
        assert EarlierAnswers.read(path).questions == {}


IDS = st.none() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False)


@given(IDS, st.text(), st.data())
def test_any_question_round_trips(
    tmp_path_factory: pytest.TempPathFactory, request_id: object, text: str, data: st.DataObject
) -> None:
    """Any prefix of an answer is recognised as the start of an answer to its question."""
    request = Request(7, request_id, text, "P")
    line = answer_line(request).encode()
    size = data.draw(st.integers(len('{"line": 7, "'), len(line)))
    path = tmp_path_factory.mktemp("prefix") / "out"
    path.write_bytes(line[:size])
    earlier = EarlierAnswers.read(path)
    remaining = list(earlier.remaining([request]))
    assert remaining == ([request] if earlier.fragment else [])
    assert bool(earlier.fragment) == (size < len(line) - 1)


def test_stream_is_not_read_past_the_last_answer(tmp_path: Path) -> None:
    """An endless input whose first line differs is refused at once."""
    out = tmp_path / "answers.jsonl"
    out.write_text(answer_line(Request(2, "q2", "Who is é2?", "P")), "utf-8")
    lines = io.StringIO("".join(f"{question(n, 'Another?')}\n" for n in range(9)))
    with pytest.raises(DataError, match="other questions"):
        ANSWERER.into(out, read_jsonl(lines))
    assert len(lines.read().splitlines()) == 7
