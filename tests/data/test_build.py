"""Building a dataset from small hand-made files."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from workings.cli import app
from workings.data.build import COUNT_ROWS, build, paper_count, write_drop
from workings.data.records import GoldAnswer, Passage, Question, read_passages
from workings.errors import DataError

TEXT = "The Old Mill burned down in 1881. In 1902 a flood took the bridge, 30 barns and 12 boats."
QUESTIONS = (
    Question(
        "q1", "Which happened first, the flood or the Old Mill?", (GoldAnswer(spans=("Old Mill",)),)
    ),
    Question("q2", "How many more barns than boats were taken?", (GoldAnswer(number="18"),)),
    Question("q3", "Who wrote this?", (), evidence="none", source="annotated"),
    Question(
        "q4",
        "When was the flood?",
        (GoldAnswer(date=("", "", "1902")), GoldAnswer(spans=("1902",))),
    ),
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "drop"
    for name in ("dev.json.gz", "drop_dataset_train.json.gz", "other.json.gz"):
        write_drop(folder / name, [Passage("p", TEXT, QUESTIONS)])
    return folder


def test_written_passages_read_back(tmp_path: Path) -> None:
    passages = [Passage("p", TEXT, QUESTIONS), Passage("é", "No questions.", ())]
    write_drop(tmp_path / "a.json.gz", passages)
    write_drop(tmp_path / "b.json.gz", passages)
    loaded = read_passages(tmp_path / "a.json.gz", strict=True)
    assert list(loaded.passages) == passages
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()


def test_kinds_are_labelled_and_only_training_is_augmented(source: Path, tmp_path: Path) -> None:
    train, dev, other = build(source, tmp_path / "out")
    assert [split.name for split in (train, dev, other)] == ["train", "dev", "other"]
    assert dev.counts == {"date-compare": 1, "add-sub": 1, "2 numbers": 1, "all": 2}
    assert train.counts == dev.counts | {"date-compare": 4, "all": 5, "made": 3}
    assert (dev.passages, dev.questions, train.questions) == (1, 4, 7)
    built = read_passages(train.path, strict=True).passages[0].questions
    assert [question.id for question in built if question.augmented] == [
        "q1-dc-event-switch",
        "q1-dc-qop-switch",
        "q1-dc-event-switch-dc-qop-switch",
    ]


def test_building_a_built_dataset_changes_nothing(source: Path, tmp_path: Path) -> None:
    build(source, tmp_path / "once")
    build(tmp_path / "once", tmp_path / "twice")
    for path in (tmp_path / "once").iterdir():
        assert path.read_bytes() == (tmp_path / "twice" / path.name).read_bytes()


def test_malformed_records_are_skipped_or_stop_a_strict_build(source: Path, tmp_path: Path) -> None:
    pairs = [{"question": "When?"}, {"question": ""}]
    record = {"p": {"passage": TEXT, "qa_pairs": pairs}}
    (source / "test.json").write_text(json.dumps(record), encoding="utf-8")
    test = next(split for split in build(source, tmp_path / "out") if split.name == "test")
    assert (test.questions, len(test.malformed)) == (1, 1)
    with pytest.raises(DataError, match="question 2"):
        build(source, tmp_path / "strict", strict=True)
    assert not (tmp_path / "strict" / "test.json.gz").exists()


def test_every_split_is_tracked(source: Path, tmp_path: Path) -> None:
    tracked: list[tuple[str, int]] = []

    def track(passages: Iterable[Passage], title: str, total: int) -> Iterable[Passage]:
        tracked.append((title, total))
        return passages

    build(source, tmp_path / "out", track=track)
    assert tracked == [("train", 1), ("dev", 1), ("other", 1)]


def test_rejects_unusable_folders(source: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in source.iterdir()}
    for folder in ("empty", "file", "none"):
        with pytest.raises(DataError):
            build(tmp_path / folder, tmp_path / "out")
    with pytest.raises(DataError, match="source folder"):
        build(source, source)
    with pytest.raises(DataError, match="cannot be written"):
        build(source, tmp_path / "file" / "out")
    assert {path.name: path.read_bytes() for path in source.iterdir()} == before
    assert (tmp_path / "file").read_text(encoding="utf-8") == "in the way"


def test_rejects_links_to_the_source(source: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in source.iterdir()}
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "dev.json.gz").symlink_to(next(source.glob("dev*")))
    with pytest.raises(DataError, match="is the input file"):
        build(source, tmp_path / "out")
    assert {path.name: path.read_bytes() for path in source.iterdir()} == before
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_rejects_two_files_of_one_split(source: Path, tmp_path: Path) -> None:
    (source / "train.json").write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match="are the same split"):
        build(source, tmp_path / "out")


def test_paper_counts() -> None:
    assert paper_count("add-sub", "dev") == 124
    assert paper_count("3 numbers", "test") == 66
    assert paper_count("made", "train") is None
    assert paper_count("count", "dev_rest") is None
    assert len(COUNT_ROWS) == 11


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["data", "build", *map(str, arguments)])


def test_command_prints_counts_beside_the_paper(source: Path, tmp_path: Path) -> None:
    result = run(source, "--out", tmp_path / "out")
    assert result.exit_code == 0
    row = next(line for line in result.stdout.splitlines() if "date-compare" in line)
    assert [cell.strip() for cell in row.split("│")[1:-1]] == [
        "date-compare",
        "4 / 3,505",
        "1 / 91",
        "1",
    ]


def test_command_prints_json(source: Path, tmp_path: Path) -> None:
    with gzip.open(source / "dev.json.gz") as file:
        damaged = json.load(file) | {"damaged": {}}
    (source / "test.json").write_text(json.dumps(damaged), encoding="utf-8")
    result = run(source, "--out", tmp_path / "out", "--json")
    assert json.loads(result.stdout)["test"]["left_out"] == 1
    assert "skipped: " in result.stderr
    assert "passage damaged" in result.stderr


def test_command_prints_error_and_hint(source: Path, tmp_path: Path) -> None:
    (source / "test.json").write_text("", encoding="utf-8")
    result = run(source, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"{source / 'test.json'}: the file is empty",
        "Give a file that holds questions.",
    ]
