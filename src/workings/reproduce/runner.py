"""Training and scoring of rows; an interrupted run resumes from its last checkpoint."""

import json
from dataclasses import dataclass
from pathlib import Path

from workings.checkpoint.model_folder import load_model
from workings.data.kinds import load_split, question_operand_counts
from workings.data.records import Passage
from workings.errors import DataError, InputError
from workings.evaluation.prediction import predict_texts, questions_to_score
from workings.progress import ProgressCallback
from workings.reproduce.result_files import (
    RowResult,
    ScoredQuestion,
    SplitName,
    TrainingBudget,
    current_commit,
    current_time,
    read_result,
    result_path,
    save_result,
)
from workings.reproduce.rows import Row
from workings.score import grade, score_predictions
from workings.settings import Recipe
from workings.training.trainer import train
from workings.training.training_run import TrainingProgress


@dataclass(frozen=True)
class Reproduction:
    """A reproduction of the paper's rows.

    Attributes:
        data: Folder of the DROP files.
        out: Folder of results and runs.
        split: The split to score.
        overrides: Settings that are changed in every row, as ``section.name=value``.
    """

    data: Path | None
    out: Path
    split: SplitName = "dev"
    overrides: tuple[str, ...] = ()

    def recipe(self, row: Row) -> Recipe:
        """The recipe of a row with the overrides."""
        return row.recipe(self.overrides)

    def load(self, row: Row) -> RowResult | None:
        """Load the result of a row.

        Returns:
            The result, or None if there is none.

        Raises:
            DataError: If the file cannot be read or is not a result.
            InputError: If the result was made with other settings.
        """
        path = result_path(self.out, self.split, row.name)
        if not path.exists():
            return None
        result = read_result(path)
        if result.recipe != self.recipe(row):
            hint = "Name another --out folder, or remove the file to run the row again."
            raise InputError(f"{path} was made with other settings.", hint=hint)
        return result

    def passages(self) -> list[Passage]:
        """Load the split with the questions that are scored.

        Raises:
            DataError: If no data folder is given or the file cannot be read.
        """
        if self.data is None:
            hint = "Give it with --data DIR or in the environment as WORKINGS_DATA."
            raise DataError("No data folder was given.", hint=hint)
        return questions_to_score(load_split(self.data / f"{self.split}.json.gz"))

    def run(self, row: Row, progress: ProgressCallback) -> RowResult:
        """Train a row, score its best weights and save the result.

        Args:
            row: The row. If its training was interrupted, it is resumed.
            progress: Called with the task, the amount done and the total.
        """

        def row_progress(task: str, done: int, total: int) -> None:
            progress(f"{row.name}: {task.lower()}", done, total)

        passages, recipe = self.passages(), self.recipe(row)
        runs = self.out / "runs"
        best = train(recipe, runs / row.name, self.data, runs / "cache", row_progress)
        answers = _answers(best, passages, row_progress)
        result = RowResult(
            row=row.name,
            split=self.split,
            recipe=recipe,
            commit=current_commit(),
            date=current_time(),
            budget=_budget(runs / row.name, recipe),
            report=score_predictions(answers, passages).to_json(),
            scores=tuple(_scores(answers, passages)),
        )
        save_result(self.out, result)
        return result


def _answers(
    best: Path, passages: list[Passage], progress: ProgressCallback
) -> dict[str, list[str]]:
    total = sum(len(passage.questions) for passage in passages)
    answers: dict[str, list[str]] = {}
    for question, texts in predict_texts(load_model(best), passages):
        answers[question.id] = texts
        progress("Answering", len(answers), total)
    return answers


def _budget(run: Path, recipe: Recipe) -> TrainingBudget:
    progress = TrainingProgress(**json.loads((run / "checkpoint" / "progress.json").read_text()))
    return TrainingBudget(
        epochs=recipe.train.epochs,
        steps=progress.step,
        questions=progress.questions,
        seconds=round(progress.seconds, 1),
    )


def _scores(answers: dict[str, list[str]], passages: list[Passage]) -> list[ScoredQuestion]:
    scores = []
    for passage in passages:
        for question in passage.questions:
            if question.kind and question.answers:
                operands = question_operand_counts(question, passage)
                graded = grade(question, answers.get(question.id))
                scores.append(
                    ScoredQuestion(question.id, question.kind, operands, graded.em, graded.f1)
                )
    return scores
