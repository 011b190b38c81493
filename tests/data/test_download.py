"""Fetching from a server of our own on loopback: whole, broken off, resumed, wrong."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from loopback import Server, zipped
from workings.cli import app
from workings.data.download import download, fetch, unpack
from workings.errors import DataError

TRAIN = b'{"a": ' + b"[0], " * 50_000 + b"}"
ARCHIVE = zipped(
    {
        "drop_dataset/drop_dataset_train.json": TRAIN,
        "drop_dataset/drop_dataset_dev.json": b"{}",
        "drop_dataset/license.txt": b"CC BY-SA 4.0",
        "__MACOSX/drop_dataset/._drop_dataset_dev.json": b"\x00",
    }
)
DIGEST = hashlib.sha256(ARCHIVE).hexdigest()


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(ARCHIVE) as served:
        thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield served
        served.shutdown()
        thread.join()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


WHOLE = {"drop_dataset.zip", "drop_dataset.zip.sha256"}


def test_fetches_and_unpacks(server: Server, tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    fetched = download(
        tmp_path, url=server.url, sha256=DIGEST, progress=lambda *told: seen.append(told)
    )
    assert fetched.sha256 == DIGEST
    assert {path.name for path in fetched.files} == {
        "drop_dataset_train.json",
        "drop_dataset_dev.json",
    }
    assert (tmp_path / "drop_dataset_train.json").read_bytes() == TRAIN
    assert names(tmp_path) == WHOLE | {path.name for path in fetched.files}
    record = (tmp_path / "drop_dataset.zip.sha256").read_text(encoding="utf-8")
    assert record == f"{DIGEST}  drop_dataset.zip\n"
    assert seen[-1] == (len(ARCHIVE), len(ARCHIVE))


def test_goes_on_where_it_broke_off(server: Server, tmp_path: Path) -> None:
    server.breaks_at = 100
    with pytest.raises(DataError, match="broke off") as raised:
        download(tmp_path, url=server.url)
    assert "run it again" in raised.value.hint
    assert names(tmp_path) == {"drop_dataset.zip.part"}
    server.breaks_at = None
    assert download(tmp_path, url=server.url, sha256=DIGEST).sha256 == DIGEST
    assert server.asked == [None, "bytes=100-"]


def test_begins_anew_where_the_server_cannot_go_on(server: Server, tmp_path: Path) -> None:
    (tmp_path / "drop_dataset.zip.part").write_bytes(b"x" * 50)
    server.ranges = False
    assert download(tmp_path, url=server.url).sha256 == DIGEST


@pytest.mark.parametrize("left", [ARCHIVE, ARCHIVE + b"more"])
def test_what_was_left_may_be_whole_or_of_another_file(
    server: Server, tmp_path: Path, left: bytes
) -> None:
    (tmp_path / "drop_dataset.zip.part").write_bytes(left)
    assert download(tmp_path, url=server.url).sha256 == DIGEST
    assert len(server.asked) == (1 if left == ARCHIVE else 2)


def test_a_whole_archive_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    download(tmp_path, url=server.url)
    download(tmp_path, url=server.url, sha256=DIGEST.upper())
    assert len(server.asked) == 1
    with pytest.raises(DataError, match="not the file expected"):
        download(tmp_path, url=server.url, sha256="0" * 64)
    assert (tmp_path / "drop_dataset.zip").read_bytes() == ARCHIVE


def test_a_wrong_digest_leaves_nothing(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not the file expected") as raised:
        download(tmp_path, url=server.url, sha256="0" * 64)
    assert DIGEST in raised.value.hint
    assert names(tmp_path) == set()


def test_addresses_that_will_not_do(server: Server, tmp_path: Path) -> None:
    missing = server.url.replace("drop_dataset", "none")
    wrong = ("", "file:///etc/hostname", "http://[", "http://", "http://\u00e9.example/a.zip")
    for url, reason in [(missing, "404"), *((url, "not a web") for url in wrong)]:
        with pytest.raises(DataError, match=reason):
            download(tmp_path, url=url)
    assert names(tmp_path) == set()


def test_nobody_there(tmp_path: Path) -> None:
    with Server(ARCHIVE) as gone:
        url = gone.url
    with pytest.raises(DataError, match="broke off"):
        fetch(url, tmp_path / "drop.zip", progress=lambda *_: None)


def test_outputs_that_will_not_do(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(DataError, match="cannot be written"):
        download(tmp_path / "file", url=server.url)
    (tmp_path / "drop_dataset.zip").mkdir()
    with pytest.raises(DataError, match="Is a directory"):
        download(tmp_path, url=server.url)


def test_a_file_without_an_end_is_given_up(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workings.data.download._LIMIT", 100)
    with pytest.raises(DataError, match="more than 100 bytes"):
        download(tmp_path, url=server.url)
    assert names(tmp_path) == set()


def damaged() -> bytes:
    place = ARCHIVE.index(b"train.json") + 30
    return ARCHIVE[:place] + bytes([ARCHIVE[place] ^ 0xFF]) + ARCHIVE[place + 1 :]


BAD_ARCHIVES: dict[str, Callable[[], bytes]] = {
    "climb out": lambda: zipped({"../up.json": b"{}"}),
    "climb": lambda: zipped({"/etc/up.json": b"{}"}),
    "climb out of": lambda: zipped({"a\\..\\up.json": b"{}"}),
    "more than": lambda: zipped({"big.json": b"0" * 2_000_000}),
    "each split": lambda: zipped({"a/dev.json": b"{}", "b/dev.json": b"[]"}),
    "does not hold": lambda: zipped({"notes.txt": b""}),
    "not a zip": lambda: b"<html>Not found</html>",
    "cannot be unpacked": damaged,
}


@pytest.mark.parametrize("reason", BAD_ARCHIVES)
def test_a_bad_archive_unpacks_to_nothing(tmp_path: Path, reason: str) -> None:
    archive = tmp_path / "bad.zip"
    archive.write_bytes(BAD_ARCHIVES[reason]())
    with pytest.raises(DataError, match=reason) as raised:
        unpack(archive, tmp_path / "out", limit=1_000_000)
    assert raised.value.hint == "Delete bad.zip and download it again."
    assert not (tmp_path / "out").exists()


def test_an_archive_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="No such file"):
        unpack(tmp_path / "none.zip", tmp_path)


def test_the_command_says_what_it_fetched(server: Server, tmp_path: Path) -> None:
    arguments = ["data", "download", "--out", str(tmp_path), "--url", server.url]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"SHA-256 {DIGEST}",
        str(tmp_path / "drop_dataset_train.json"),
        str(tmp_path / "drop_dataset_dev.json"),
    ]
    assert CliRunner().invoke(app, [*arguments, "--sha256", "0"]).exit_code == 1
