"""DROP fetched and unpacked: resumed where it stopped, checked, and never half-written."""

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
# An archive that unpacks to more than this is not DROP.
_LIMIT = 1 << 30
# All that the unpackers of the standard library say of an archive that is not sound.
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    RuntimeError,
    ValueError,
)

Progress = Callable[[int, int | None], None]
"""Told after each piece how many bytes there are by now and, where known, will be."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An archive that was fetched, its digest, and the files unpacked from it."""

    archive: Path
    sha256: str
    files: tuple[Path, ...]


def download(
    out: Path,
    *,
    url: str = URL,
    sha256: str | None = None,
    progress: Progress = lambda _done, _total: None,
) -> Fetched:
    """Fetch DROP's archive into ``out`` and unpack its JSON files there."""
    archive = out / (PurePosixPath(_split(url).path).name or "drop_dataset.zip")
    digest = fetch(url, archive, sha256=sha256, progress=progress)
    return Fetched(archive, digest, unpack(archive, out))


def fetch(url: str, path: Path, *, sha256: str | None = None, progress: Progress) -> str:
    """Fetch ``url`` to ``path`` and return its SHA-256, which is also recorded beside it.

    What an earlier, broken run left is gone on with, and a file that is already whole is kept.
    """
    _split(url)
    make_folder(path.parent)
    if not path.exists():
        part = path.with_name(path.name + ".part")
        _fetch_rest(url, part, progress)
        try:
            _check(part, sha256)
        except DataError:
            # Going on with it another time would only end here again.
            part.unlink()
            raise
        part.replace(path)
    digest = _check(path, sha256)
    with write_atomically(path.with_name(path.name + ".sha256")) as file:
        file.write(f"{digest}  {path.name}\n".encode())
    return digest


def unpack(archive: Path, out: Path, *, limit: int = _LIMIT) -> tuple[Path, ...]:
    """Unpack an archive's JSON files straight into ``out``, once all of it is known to be sound."""
    try:
        with zipfile.ZipFile(archive) as packed:
            members = _members(packed, limit)
            broken = packed.testzip()
            if broken is not None:
                raise zipfile.BadZipFile(f"{broken} is damaged")
            return tuple(_extract(packed, name, out / short) for short, name in members.items())
    except _DAMAGED as error:
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


def _fetch_rest(url: str, part: Path, progress: Progress) -> None:
    """Fetch what ``part`` does not hold yet, or all of it if the server cannot go on."""
    try:
        have = part.stat().st_size if part.exists() else 0
        wanted = {"Range": f"bytes={have}-"} if have else {}
        request = Request(url, headers={"User-Agent": "workings", **wanted})
        with urlopen(request, timeout=_TIMEOUT) as response:
            _receive(response, part, have, progress)
    except HTTPError as error:
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and have:
            _settle(error, url, part, progress)
            return
        hint = "Check the address given as --url, or try again later."
        raise DataError(f"{url}: the server says {error.code} {error.reason}", hint=hint) from error
    except (OSError, http.client.HTTPException) as error:
        hint = "Check the network and the room on disk, and run it again: it goes on from there."
        raise DataError(f"{url}: the download broke off: {error}", hint=hint) from error


def _settle(refusal: HTTPError, url: str, part: Path, progress: Progress) -> None:
    """There is no more to be had: ``part`` is whole, or it is of another file and goes."""
    with refusal:
        total = refusal.headers.get("Content-Range", "").rpartition("/")[2]
    if total != str(part.stat().st_size):
        part.unlink()
        _fetch_rest(url, part, progress)


def _receive(response: http.client.HTTPResponse, part: Path, have: int, progress: Progress) -> None:
    resumed = response.status == http.HTTPStatus.PARTIAL_CONTENT
    if resumed and not response.headers.get("Content-Range", "").startswith(f"bytes {have}-"):
        raise http.client.HTTPException("the server sent another part of the file")
    done = have if resumed else 0
    length = response.headers.get("Content-Length", "")
    total = done + int(length) if length.isdecimal() else None
    with part.open("ab" if resumed else "wb") as file:
        while chunk := response.read(_CHUNK):
            file.write(chunk)
            done += len(chunk)
            progress(done, total)
            if done > _LIMIT:
                part.unlink()
                hint = "Check the address given as --url: DROP's archive is smaller."
                raise DataError(f"{response.url}: more than {_LIMIT:,} bytes", hint=hint)
    if total is not None and done < total:
        raise http.client.HTTPException(f"{total - done:,} bytes are missing")


def _check(path: Path, sha256: str | None) -> str:
    """The digest of a file, which must be the one expected."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        hint = "Choose another output folder, or move what is in the way."
        raise DataError(f"{path}: {error.strerror}", hint=hint) from error
    if sha256 is not None and digest != sha256.strip().lower():
        hint = f"Its SHA-256 is {digest}: check the one expected, or fetch it anew."
        raise DataError(f"{path}: not the file expected", hint=hint)
    return digest


def _members(packed: zipfile.ZipFile, limit: int) -> dict[str, str]:
    """The names of an archive's JSON files, by the name each will have outside it."""
    names = {info.filename: PurePosixPath(info.filename) for info in packed.infolist()}
    for name, path in names.items():
        if path.is_absolute() or ".." in path.parts or "\\" in name:
            raise zipfile.BadZipFile(f"{name} would climb out of the folder")
    if sum(info.file_size for info in packed.infolist()) > limit:
        raise zipfile.BadZipFile(f"it would take more than {limit:,} bytes")
    wanted = {name: path for name, path in names.items() if path.match("[!.]*.json")}
    members = {path.name: name for name, path in wanted.items()}
    if not members or len(members) < len(wanted):
        raise zipfile.BadZipFile("it does not hold one JSON file for each split")
    return members


def _extract(packed: zipfile.ZipFile, name: str, target: Path) -> Path:
    with packed.open(name) as source, write_atomically(target) as file:
        shutil.copyfileobj(source, file)
    return target
