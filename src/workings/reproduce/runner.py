"""Train and score the rows that are missing; stopped at any moment, it goes on there."""

import json
from dataclasses import dataclass
from pathlib import Path

from workings.checkpoint.model_folder import load_model
from workings.data.kinds import load_split, operands_of
from workings.data.records import Passage
from workings.errors import DataError, InputError
from workings.evaluation.prediction import predict_texts, questions_to_score
from workings.progress import ProgressCallback
from workings.reproduce.result_files import (
    Budget,
    RowResult,
    ScoredQuestion,
    SplitName,
    commit,
    keep,
    now,
    read_result,
    result_path,
)
from workings.reproduce.rows import Row
from workings.score import evaluate, grade
from workings.settings import Recipe
from workings.training.trainer import train
from workings.training.training_run import TrainingProgress


@dataclass(frozen=True)
class Reproduction:
    """The data, the folder of results, the split to score, and settings that hold in all rows."""

    data: Path | None
    out: Path
    split: SplitName = "dev"
    overrides: tuple[str, ...] = ()

    def recipe(self, row: Row) -> Recipe:
        return row.recipe(self.overrides)

    def kept(self, row: Row) -> RowResult | None:
        """The result of a row, if it was run before."""
        path = result_path(self.out, self.split, row.name)
        if not path.exists():
            return None
        result = read_result(path)
        if result.recipe != self.recipe(row):
            hint = "Name another --out folder, or remove the file to run the row again."
            raise InputError(f"{path} was made with other settings.", hint=hint)
        return result

    def passages(self) -> list[Passage]:
        """The split with the questions that are scored."""
        if self.data is None:
            hint = "Give it with --data DIR or in the environment as WORKINGS_DATA."
            raise DataError("No data folder was given.", hint=hint)
        return questions_to_score(load_split(self.data / f"{self.split}.json.gz"))

    def run(self, row: Row, watch: ProgressCallback) -> RowResult:
        """Train a row, or go on with it, score its best weights and keep the result."""

        def watch_row(what: str, done: int, of: int) -> None:
            watch(f"{row.name}: {what.lower()}", done, of)

        passages, recipe = self.passages(), self.recipe(row)
        runs = self.out / "runs"
        best = train(recipe, runs / row.name, self.data, runs / "cache", watch_row)
        answers = _answers(best, passages, watch_row)
        result = RowResult(
            row=row.name,
            split=self.split,
            recipe=recipe,
            commit=commit(),
            date=now(),
            budget=_budget(runs / row.name, recipe),
            report=evaluate(answers, passages).to_json(),
            scores=tuple(_scores(answers, passages)),
        )
        keep(self.out, result)
        return result


def _answers(best: Path, passages: list[Passage], watch: ProgressCallback) -> dict[str, list[str]]:
    asked = sum(len(passage.questions) for passage in passages)
    found: dict[str, list[str]] = {}
    for question, texts in predict_texts(load_model(best), passages):
        found[question.id] = texts
        watch("Answering", len(found), asked)
    return found


def _budget(run: Path, recipe: Recipe) -> Budget:
    progress = TrainingProgress(**json.loads((run / "checkpoint" / "progress.json").read_text()))
    return Budget(
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
                operands = operands_of(question, passage)
                graded = grade(question, answers.get(question.id))
                scores.append(
                    ScoredQuestion(question.id, question.kind, operands, graded.em, graded.f1)
                )
    return scores
