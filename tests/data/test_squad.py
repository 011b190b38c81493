"""SQuAD, downloaded from a local server and converted."""

import hashlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from loopback import Server
from workings.cli import app
from workings.data.records import GoldAnswer, Passage, Question, read_passages
from workings.data.squad import download_squad, read_squad
from workings.errors import DataError

CONTEXT = "The bell of Corl was cast in 1640. The bell weighs two tonnes."
ANSWERED = {
    "id": "a1",
    "question": "What was cast?",
    "answers": [
        {"text": "The bell", "answer_start": 0},
        {"text": "bell of Corl", "answer_start": 4},
    ],
}
IMPOSSIBLE = {"id": "a2", "question": "Who cast it?", "is_impossible": True, "answers": []}
SQUAD = {
    "version": "1.1",
    "data": [
        {"title": "Corl", "paragraphs": [{"context": CONTEXT, "qas": [ANSWERED, IMPOSSIBLE]}]}
    ],
}
FILE = json.dumps(SQUAD).encode()
PASSAGE = Passage(
    "Corl-0",
    CONTEXT,
    (
        Question(
            "a1", "What was cast?", (GoldAnswer(spans=("The bell",)),), source="squad", start=0
        ),
        Question("a2", "Who cast it?", (), source="squad", unanswerable=True),
    ),
    title="Corl",
)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(FILE) as served:
        thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield served
        served.shutdown()
        thread.join()


def test_reads_squad(tmp_path: Path) -> None:
    (tmp_path / "train.json").write_bytes(FILE)
    assert read_squad(tmp_path / "train.json") == [PASSAGE]


def test_downloads_and_converts(server: Server, tmp_path: Path) -> None:
    digest = hashlib.sha256(FILE).hexdigest()
    downloaded = download_squad(tmp_path, url=server.url, sha256=digest)
    assert downloaded.sha256 == digest
    assert downloaded.archive.read_bytes() == FILE
    (converted,) = downloaded.files
    assert read_passages(converted).passages == (PASSAGE,)


def test_command(server: Server, tmp_path: Path) -> None:
    arguments = ["data", "download", "--dataset", "squad", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, [*arguments, "--url", server.url])
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[1:] == [str(tmp_path / "squad.json.gz")]


@pytest.mark.parametrize("raw", [b"[]", b"{}", b"not JSON", b'{"data": [{"title": "a"}]}', b"3"])
def test_rejects_other_files(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "train.json").write_bytes(raw)
    with pytest.raises(DataError, match=r"SQuAD's layout[\s\S]*SQuAD 1.1"):
        read_squad(tmp_path / "train.json")
