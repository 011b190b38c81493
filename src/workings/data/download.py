"""Downloads and unpacks DROP: resumable, checked, and written atomically."""

import hashlib
import http.client
import lzma
import shutil
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.error import HTTPError
from urllib.parse import SplitResult, urlsplit
from urllib.request import Request, urlopen

from workings.errors import DataError
from workings.files import make_folder, write_atomically

URL = "https://ai2-public-datasets.s3.amazonaws.com/drop/drop_dataset.zip"

_TIMEOUT = 30.0
_CHUNK = 1 << 16
# DROP is smaller, as an archive and unpacked.
_MAX_BYTES = 1 << 30
# The errors that the standard library raises for damaged archives.
_ARCHIVE_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    RuntimeError,
    ValueError,
)

# Called with the bytes received so far and, if known, the total.
ByteProgress = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class DownloadedArchive:
    """A downloaded archive, its SHA-256 digest, and the files unpacked from it."""

    archive: Path
    sha256: str
    files: tuple[Path, ...]


def download(
    out: Path,
    *,
    url: str = URL,
    sha256: str | None = None,
    progress: ByteProgress = lambda _done, _total: None,
) -> DownloadedArchive:
    """Download DROP's archive into a folder and unpack its JSON files there.

    Args:
        out: The folder; it is created if needed.
        url: The address of the archive.
        sha256: The expected digest; None to skip the check.
        progress: Called after each chunk.

    Raises:
        DataError: The download fails, the digest differs, or the archive is damaged.
    """
    archive = out / (PurePosixPath(_split(url).path).name or "drop_dataset.zip")
    digest = fetch(url, archive, sha256=sha256, progress=progress)
    return DownloadedArchive(archive, digest, unpack_archive(archive, out))


def fetch(url: str, path: Path, *, sha256: str | None = None, progress: ByteProgress) -> str:
    """Download a file, unless it exists, and write its SHA-256 digest beside it.

    An interrupted download is resumed.

    Returns:
        The digest.

    Raises:
        DataError: The download fails, or the digest is not ``sha256``.
    """
    _split(url)
    make_folder(path.parent)
    if not path.exists():
        part = path.with_name(path.name + ".part")
        _fetch_rest(url, part, progress)
        try:
            _check(part, sha256)
        except DataError:
            # Resuming it would fail again.
            part.unlink()
            raise
        part.replace(path)
    digest = _check(path, sha256)
    with write_atomically(path.with_name(path.name + ".sha256")) as file:
        file.write(f"{digest}  {path.name}\n".encode())
    return digest


def unpack_archive(archive: Path, out: Path, *, limit: int = _MAX_BYTES) -> tuple[Path, ...]:
    """Unpack the JSON files of a zip archive into a folder, after checking the whole archive.

    Args:
        archive: The archive.
        out: The folder to write to.
        limit: The largest total size of the unpacked files, in bytes.

    Raises:
        DataError: The archive cannot be read, is damaged, too large, or has unsafe names.
    """
    try:
        with zipfile.ZipFile(archive) as packed:
            members = _members(packed, limit)
            broken = packed.testzip()
            if broken is not None:
                raise zipfile.BadZipFile(f"{broken} is damaged")
            return tuple(_extract(packed, name, out / short) for short, name in members.items())
    except _ARCHIVE_ERRORS as error:
        hint = f"Delete {archive.name} and download it again."
        raise DataError(f"{archive}: cannot be unpacked: {error}", hint=hint) from error
    except OSError as error:
        hint = "Give the path of a readable zip archive."
        raise DataError(f"{archive}: {error.strerror or error}", hint=hint) from error


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and url.isascii():
            return parts
    except ValueError:
        pass
    raise DataError(f"{url}: not a web address", hint="Give an http or https address.")


def _fetch_rest(url: str, part: Path, progress: ByteProgress) -> None:
    """Download the bytes that ``part`` lacks, or the whole file if the server cannot resume."""
    try:
        received = part.stat().st_size if part.exists() else 0
        range_header = {"Range": f"bytes={received}-"} if received else {}
        request = Request(url, headers={"User-Agent": "workings", **range_header})
        with urlopen(request, timeout=_TIMEOUT) as response:
            _receive(response, part, received, progress)
    except HTTPError as error:
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and received:
            _check_complete(error, url, part, progress)
            return
        hint = "Check the address given as --url, or try again later."
        raise DataError(
            f"{url}: the server answered {error.code} {error.reason}", hint=hint
        ) from error
    except (OSError, http.client.HTTPException) as error:
        hint = "Check the network and the disk space. The same command resumes the download."
        raise DataError(f"{url}: the download was interrupted: {error}", hint=hint) from error


def _check_complete(refusal: HTTPError, url: str, part: Path, progress: ByteProgress) -> None:
    """The server has no more bytes: ``part`` is complete, or is of another file and is replaced."""
    with refusal:
        total = refusal.headers.get("Content-Range", "").rpartition("/")[2]
    if total != str(part.stat().st_size):
        part.unlink()
        _fetch_rest(url, part, progress)


def _receive(
    response: http.client.HTTPResponse, part: Path, received: int, progress: ByteProgress
) -> None:
    resumed = response.status == http.HTTPStatus.PARTIAL_CONTENT
    if resumed and not response.headers.get("Content-Range", "").startswith(f"bytes {received}-"):
        raise http.client.HTTPException("the server sent another part of the file")
    done = received if resumed else 0
    length = response.headers.get("Content-Length", "")
    total = done + int(length) if length.isdecimal() else None
    with part.open("ab" if resumed else "wb") as file:
        while chunk := response.read(_CHUNK):
            file.write(chunk)
            done += len(chunk)
            progress(done, total)
            if done > _MAX_BYTES:
                part.unlink()
                hint = "Check the address given as --url: the datasets are smaller."
                raise DataError(f"{response.url}: more than {_MAX_BYTES:,} bytes", hint=hint)
    if total is not None and done < total:
        raise http.client.HTTPException(f"{total - done:,} bytes are missing")


def _check(path: Path, sha256: str | None) -> str:
    """Return the digest of a file.

    Raises:
        DataError: The file cannot be read, or the digest is not the expected one.
    """
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        hint = "Choose another output folder, or move the existing file."
        raise DataError(f"{path}: {error.strerror}", hint=hint) from error
    if sha256 is not None and digest != sha256.strip().lower():
        hint = f"The file has SHA-256 {digest}. Check the expected one, or download the file again."
        raise DataError(f"{path}: the SHA-256 digest is not the expected one", hint=hint)
    return digest


def _members(packed: zipfile.ZipFile, limit: int) -> dict[str, str]:
    """The JSON files of an archive: their names in it, by the names to write."""
    names = {info.filename: PurePosixPath(info.filename) for info in packed.infolist()}
    for name, path in names.items():
        if path.is_absolute() or ".." in path.parts or "\\" in name:
            raise zipfile.BadZipFile(f"{name} would be written outside the folder")
    if sum(info.file_size for info in packed.infolist()) > limit:
        raise zipfile.BadZipFile(f"it would unpack to more than {limit:,} bytes")
    json_files = {name: path for name, path in names.items() if path.match("[!.]*.json")}
    members = {path.name: name for name, path in json_files.items()}
    if not members or len(members) < len(json_files):
        raise zipfile.BadZipFile("it does not contain one JSON file for each split")
    return members


def _extract(packed: zipfile.ZipFile, name: str, target: Path) -> Path:
    with packed.open(name) as source, write_atomically(target) as file:
        shutil.copyfileobj(source, file)
    return target
