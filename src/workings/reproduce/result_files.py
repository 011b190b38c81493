"""Results as files: what a row scored, question by question, and where that came from."""

import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import ConfigDict, ValidationError

from workings.errors import DataError
from workings.files import read_text, write_atomically
from workings.settings import Recipe, Settings

SplitName = Literal["dev", "test"]

_ROOT = Path(__file__).parents[3]


class ScoredQuestion(NamedTuple):
    """One question: how many numbers an add-sub question asks for, and how it was answered."""

    id: str
    kind: str
    operands: tuple[int, ...]
    em: float
    f1: float


class Budget(Settings):
    """What the training of a row took."""

    epochs: float
    steps: int
    questions: int
    seconds: float


class RowResult(Settings):
    """A row on a split of the data."""

    # A file may have been written by a later version.
    model_config = ConfigDict(frozen=True, extra="ignore")

    row: str
    split: SplitName
    recipe: Recipe
    commit: str
    date: str
    budget: Budget
    report: dict[str, Any]
    scores: tuple[ScoredQuestion, ...]

    def group(self, name: str) -> list[ScoredQuestion]:
        """The scores of all questions, of a kind, or of add-sub questions of so many numbers."""
        if name == "all":
            return list(self.scores)
        if name.endswith(" numbers"):
            return [score for score in self.scores if int(name[0]) in score.operands]
        return [score for score in self.scores if score.kind == name]


def result_path(folder: Path, split: SplitName, row: str) -> Path:
    return folder / split / f"{row}.json"


def keep(folder: Path, result: RowResult) -> None:
    """Write a result to its place."""
    with write_atomically(result_path(folder, result.split, result.row)) as file:
        file.write(result.model_dump_json().encode() + b"\n")


def read_result(path: Path) -> RowResult:
    try:
        return RowResult.model_validate_json(read_text(path))
    except ValidationError as error:
        fault = error.errors()[0]
        hint = "Remove the file and run `workings reproduce` again."
        raise DataError(f"{path}: not a result: {fault['msg']}", hint=hint) from error


def read_results(folder: Path, split: SplitName) -> dict[str, RowResult]:
    """All results of a split, by row."""
    found = map(read_result, sorted((folder / split).glob("*.json")))
    return {result.row: result for result in found}


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def commit() -> str:
    """The commit of the checkout this runs from, or else the version of the package."""
    if (_ROOT / ".git").exists():
        command = ["git", "-C", str(_ROOT), "describe", "--always", "--dirty"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.strip()
    return f"workings {version('workings')}"
