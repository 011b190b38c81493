"""Downloads SQuAD and writes it in DROP's layout."""

import json
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from workings.data.build import write_drop
from workings.data.download import ByteProgress, DownloadedArchive, fetch
from workings.data.records import GoldAnswer, Passage, Question
from workings.errors import DataError
from workings.files import read_text

URL = "https://rajpurkar.github.io/SQuAD-explorer/dataset/train-v1.1.json"
# The file that is written in DROP's layout.
FILE = "squad.json.gz"
SOURCE = "squad"


def download_squad(
    out: Path,
    *,
    url: str = URL,
    sha256: str | None = None,
    progress: ByteProgress = lambda _done, _total: None,
) -> DownloadedArchive:
    """Download a file of SQuAD into a folder and write it there as ``squad.json.gz``.

    Args:
        out: The folder; it is created if needed.
        url: The address of the file.
        sha256: The expected digest; None to skip the check.
        progress: Called after each chunk.

    Raises:
        DataError: The download fails, the digest differs, or the file is not SQuAD's.
    """
    original = out / (PurePosixPath(urlsplit(url).path).name or "train-v1.1.json")
    digest = fetch(url, original, sha256=sha256, progress=progress)
    write_drop(out / FILE, read_squad(original))
    return DownloadedArchive(original, digest, (out / FILE,))


def read_squad(path: Path) -> list[Passage]:
    """Read a file of SQuAD 1.1 or 2.0; of several answers the first is used.

    Questions that SQuAD 2.0 marks as impossible are unanswerable.

    Raises:
        DataError: The file cannot be read, or has another layout.
    """
    try:
        return list(_passages(json.loads(read_text(path))))
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        hint = "Give a JSON file of SQuAD 1.1 or 2.0."
        raise DataError(f"{path}: not in SQuAD's layout: {error!r}", hint=hint) from error


def _passages(raw: Any) -> Iterator[Passage]:
    for article in raw["data"]:
        title = str(article["title"])
        for number, paragraph in enumerate(article["paragraphs"]):
            questions = tuple(map(_question, paragraph["qas"]))
            yield Passage(f"{title}-{number}", str(paragraph["context"]), questions, title)


def _question(raw: Any) -> Question:
    name, text = str(raw["id"]), str(raw["question"])
    if raw.get("is_impossible"):
        return Question(name, text, (), source=SOURCE, unanswerable=True)
    answer = raw["answers"][0]
    gold = GoldAnswer(spans=(str(answer["text"]),))
    return Question(name, text, (gold,), source=SOURCE, start=int(answer["answer_start"]))
