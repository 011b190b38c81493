"""Downloading from a local server: complete, interrupted, resumed, wrong."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from loopback import Server, zipped
from workings.cli import app
from workings.data.download import download, fetch, unpack_archive
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


def test_downloads_and_unpacks(server: Server, tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    downloaded = download(
        tmp_path,
        url=server.url,
        sha256=DIGEST,
        progress=lambda *bytes_done: seen.append(bytes_done),
    )
    assert downloaded.sha256 == DIGEST
    assert {path.name for path in downloaded.files} == {
        "drop_dataset_train.json",
        "drop_dataset_dev.json",
    }
    assert (tmp_path / "drop_dataset_train.json").read_bytes() == TRAIN
    assert names(tmp_path) == WHOLE | {path.name for path in downloaded.files}
    record = (tmp_path / "drop_dataset.zip.sha256").read_text(encoding="utf-8")
    assert record == f"{DIGEST}  drop_dataset.zip\n"
    assert seen[-1] == (len(ARCHIVE), len(ARCHIVE))


def test_resumes_interrupted_download(server: Server, tmp_path: Path) -> None:
    server.breaks_at = 100
    with pytest.raises(DataError, match="interrupted") as raised:
        download(tmp_path, url=server.url)
    assert "resumes" in raised.value.hint
    assert names(tmp_path) == {"drop_dataset.zip.part"}
    server.breaks_at = None
    assert download(tmp_path, url=server.url, sha256=DIGEST).sha256 == DIGEST
    assert server.requested_ranges == [None, "bytes=100-"]


def test_restarts_if_the_server_cannot_resume(server: Server, tmp_path: Path) -> None:
    (tmp_path / "drop_dataset.zip.part").write_bytes(b"x" * 50)
    server.ranges = False
    assert download(tmp_path, url=server.url).sha256 == DIGEST


@pytest.mark.parametrize("left", [ARCHIVE, ARCHIVE + b"more"])
def test_partial_file_may_be_complete_or_of_another_file(
    server: Server, tmp_path: Path, left: bytes
) -> None:
    (tmp_path / "drop_dataset.zip.part").write_bytes(left)
    assert download(tmp_path, url=server.url).sha256 == DIGEST
    assert len(server.requested_ranges) == (1 if left == ARCHIVE else 2)


def test_complete_archive_is_not_downloaded_again(server: Server, tmp_path: Path) -> None:
    download(tmp_path, url=server.url)
    download(tmp_path, url=server.url, sha256=DIGEST.upper())
    assert len(server.requested_ranges) == 1
    with pytest.raises(DataError, match="not the expected one"):
        download(tmp_path, url=server.url, sha256="0" * 64)
    assert (tmp_path / "drop_dataset.zip").read_bytes() == ARCHIVE


def test_wrong_digest_leaves_no_files(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not the expected one") as raised:
        download(tmp_path, url=server.url, sha256="0" * 64)
    assert DIGEST in raised.value.hint
    assert names(tmp_path) == set()


def test_rejects_invalid_addresses(server: Server, tmp_path: Path) -> None:
    missing = server.url.replace("drop_dataset", "none")
    wrong = ("", "file:///etc/hostname", "http://[", "http://", "http://\u00e9.example/a.zip")
    for url, reason in [(missing, "404"), *((url, "not a web") for url in wrong)]:
        with pytest.raises(DataError, match=reason):
            download(tmp_path, url=url)
    assert names(tmp_path) == set()


def test_unreachable_server(tmp_path: Path) -> None:
    with Server(ARCHIVE) as gone:
        url = gone.url
    with pytest.raises(DataError, match="interrupted"):
        fetch(url, tmp_path / "drop.zip", progress=lambda *_: None)


def test_rejects_unusable_output_folders(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(DataError, match="cannot be written"):
        download(tmp_path / "file", url=server.url)
    (tmp_path / "drop_dataset.zip").mkdir()
    with pytest.raises(DataError, match="Is a directory"):
        download(tmp_path, url=server.url)


def test_stops_at_the_size_limit(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workings.data.download._MAX_BYTES", 100)
    with pytest.raises(DataError, match="more than 100 bytes"):
        download(tmp_path, url=server.url)
    assert names(tmp_path) == set()


def damaged() -> bytes:
    offset = ARCHIVE.index(b"train.json") + 30
    return ARCHIVE[:offset] + bytes([ARCHIVE[offset] ^ 0xFF]) + ARCHIVE[offset + 1 :]


BAD_ARCHIVES: dict[str, Callable[[], bytes]] = {
    "outside": lambda: zipped({"../up.json": b"{}"}),
    "outside the": lambda: zipped({"/etc/up.json": b"{}"}),
    "outside the folder": lambda: zipped({"a\\..\\up.json": b"{}"}),
    "more than": lambda: zipped({"big.json": b"0" * 2_000_000}),
    "each split": lambda: zipped({"a/dev.json": b"{}", "b/dev.json": b"[]"}),
    "does not contain": lambda: zipped({"notes.txt": b""}),
    "not a zip": lambda: b"<html>Not found</html>",
    "cannot be unpacked": damaged,
}


@pytest.mark.parametrize("reason", BAD_ARCHIVES)
def test_bad_archive_is_not_unpacked(tmp_path: Path, reason: str) -> None:
    archive = tmp_path / "bad.zip"
    archive.write_bytes(BAD_ARCHIVES[reason]())
    with pytest.raises(DataError, match=reason) as raised:
        unpack_archive(archive, tmp_path / "out", limit=1_000_000)
    assert raised.value.hint == "Delete bad.zip and download it again."
    assert not (tmp_path / "out").exists()


def test_rejects_missing_archive(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="No such file"):
        unpack_archive(tmp_path / "none.zip", tmp_path)


def test_command_prints_digest_and_files(server: Server, tmp_path: Path) -> None:
    arguments = ["data", "download", "--out", str(tmp_path), "--url", server.url]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"SHA-256 {DIGEST}",
        str(tmp_path / "drop_dataset_train.json"),
        str(tmp_path / "drop_dataset_dev.json"),
    ]
    assert CliRunner().invoke(app, [*arguments, "--sha256", "0"]).exit_code == 1
