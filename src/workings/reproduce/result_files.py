"""Result files: the score of every question of a row, with recipe, commit and budget."""

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
    """The score of one question.

    Attributes:
        id: The question's id.
        kind: The question's kind.
        operands: How many numbers an add-sub question combines; several if that is ambiguous.
        em: Exact match.
        f1: F1.
    """

    id: str
    kind: str
    operands: tuple[int, ...]
    em: float
    f1: float


class TrainingBudget(Settings):
    """The training budget that a row used."""

    epochs: float
    steps: int
    questions: int
    seconds: float


class RowResult(Settings):
    """The result of a row on one split of the data."""

    # Files of later versions may have more fields.
    model_config = ConfigDict(frozen=True, extra="ignore")

    row: str
    split: SplitName
    recipe: Recipe
    commit: str
    date: str
    budget: TrainingBudget
    report: dict[str, Any]
    scores: tuple[ScoredQuestion, ...]

    def group(self, name: str) -> list[ScoredQuestion]:
        """Select the scores of a group of questions.

        Args:
            name: "all", a kind, or "2 numbers" or "3 numbers" for add-sub questions by the number
                of operands.
        """
        if name == "all":
            return list(self.scores)
        if name.endswith(" numbers"):
            return [score for score in self.scores if int(name[0]) in score.operands]
        return [score for score in self.scores if score.kind == name]


def result_path(folder: Path, split: SplitName, row: str) -> Path:
    """The file of a row's result."""
    return folder / split / f"{row}.json"


def save_result(folder: Path, result: RowResult) -> None:
    """Write a result to its file in a folder of results."""
    with write_atomically(result_path(folder, result.split, result.row)) as file:
        file.write(result.model_dump_json().encode() + b"\n")


def read_result(path: Path) -> RowResult:
    """Read one result.

    Raises:
        DataError: If the file cannot be read or is not a result.
    """
    try:
        return RowResult.model_validate_json(read_text(path))
    except ValidationError as error:
        message = f"{path} is not a result: {error.errors()[0]['msg']}"
        hint = "Remove the file and run `workings reproduce` again."
        raise DataError(message, hint=hint) from error


def read_results(folder: Path, split: SplitName) -> dict[str, RowResult]:
    """Read all results of a split, by row.

    Raises:
        DataError: If a file cannot be read or is not a result.
    """
    results = map(read_result, sorted((folder / split).glob("*.json")))
    return {result.row: result for result in results}


def current_time() -> str:
    """The current time in UTC, in seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def current_commit() -> str:
    """The commit of the checkout, or the version of an installed package."""
    if (_ROOT / ".git").exists():
        command = ["git", "-C", str(_ROOT), "describe", "--always", "--dirty"]
        completed = subprocess.run(command, capture_output=True, text=True, check=False)
        if completed.returncode == 0:
            return completed.stdout.strip()
    return f"workings {version('workings')}"
