"""Plan of a reproduction: the questions of each row and an estimate of its training time."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workings.data.records import Passage, Question
from workings.reproduce.result_tables import TextTable
from workings.reproduce.rows import Row
from workings.reproduce.runner import Reproduction
from workings.settings import DataSettings, ModuleSettings, Recipe, TrainSettings
from workings.training.batches import GroupSampler
from workings.training.training_data import dev_passages, is_selected, training_passages

# Seconds on two idle cores for a question of about 320 word pieces, measured in
# docs/experiments.md for encoders of width 384 in full precision.
_LAYER_FORWARD = 0.010  # backward takes twice as long
_TRAINING_REST = 0.040  # all of a training step but the encoder
_RECURRENT_MODULE = 0.090  # the paper's count and span modules read the passage word by word
_ANSWERING_REST = 0.025
_START = 15.0  # imports, weights and files
_DEFAULT_LAYERS = 12
# A training step in bfloat16 as a share of one in full precision, on a processor that multiplies
# in bfloat16 (docs/speed.md). The recurrent modules and all answering stay in full precision.
_BF16_SHARE = 0.37


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row with its estimate.

    Attributes:
        row: The row.
        questions: Number of questions in training, repeated questions included.
        seconds: Estimated time; 0 if the row has a result.
        done: Whether the row has a result.
    """

    row: Row
    questions: int
    seconds: float
    done: bool


def plan_rows(reproduction: Reproduction, rows: Sequence[Row]) -> list[PlannedRow]:
    """Estimate the questions and the time of each row.

    Args:
        reproduction: The data, the folder of results and the settings.
        rows: The rows; at least one.

    Raises:
        DataError: If the data cannot be read.
        InputError: If a row has a result with other settings.
    """
    recipes = {row.name: reproduction.recipe(row) for row in rows}
    first = next(iter(recipes.values()))  # all rows read the same files
    sources = training_passages(first, reproduction.data)
    dev_questions = sum(map(_count, dev_passages(first.data, reproduction.data).values()))
    scored_questions = _count(reproduction.passages())
    planned = []
    for row in rows:
        recipe, done = recipes[row.name], reproduction.load(row) is not None
        groups = [_selected(p, recipe.data) for source in sources for p in source.passages]
        weights = [source.weight for source in sources for _ in source.passages]
        evaluations = math.ceil(_steps(groups, weights, recipe.train) / recipe.train.evaluate_every)
        used = sum(len(group) * weight for group, weight in zip(groups, weights, strict=True))
        questions = round(recipe.train.epochs * used)
        answered = evaluations * dev_questions + scored_questions
        seconds = 0.0 if done else estimate_seconds(recipe, questions, answered)
        planned.append(PlannedRow(row, questions, seconds, done))
    return planned


def plan_table(planned: Sequence[PlannedRow]) -> TextTable:
    """Format a plan as a table."""
    minutes = f"{sum(each.seconds for each in planned) / 60:.0f}"
    questions = f"{sum(each.questions for each in planned):,}"
    return TextTable(
        "Plan",
        ("row", "recipe", "settings changed", "questions seen", "minutes"),
        (*map(_cells, planned), ("all", "", "", questions, minutes)),
        (
            "Minutes are estimates for two idle cores without cached activations. With "
            "train.precision=bf16 they are estimates for a processor that multiplies in bfloat16.",
        ),
    )


def _cells(planned: PlannedRow) -> tuple[str, ...]:
    row = planned.row
    minutes = "done" if planned.done else f"{planned.seconds / 60:.1f}"
    return row.name, row.base, " ".join(row.changes), f"{planned.questions:,}", minutes


def _selected(passage: Passage, settings: DataSettings) -> list[Question]:
    return [question for question in passage.questions if is_selected(question, settings)]


def _steps(
    groups: Sequence[Sequence[Question]], weights: Sequence[float], settings: TrainSettings
) -> float:
    sampler = GroupSampler(settings.questions_per_group, settings.seed, settings.passages_per_group)
    return settings.epochs * sampler.groups_per_epoch(groups, weights) / settings.groups_per_step


def estimate_seconds(recipe: Recipe, questions: int, answered: int) -> float:
    """Estimate the time of training and scoring one row.

    Args:
        recipe: The row's recipe.
        questions: Number of questions in training.
        answered: Number of questions answered for dev scores and the result.
    """
    layers = recipe.encoder.layers or _DEFAULT_LAYERS
    trained_layers = layers - recipe.encoder.frozen
    training = _LAYER_FORWARD * (recipe.encoder.frozen + 3 * trained_layers) + _TRAINING_REST
    if recipe.train.precision == "bf16":
        training *= _BF16_SHARE
    if _is_recurrent(recipe.modules):
        training += _RECURRENT_MODULE
    answering = _LAYER_FORWARD * layers + _ANSWERING_REST
    return _START + questions * training + answered * answering


def _is_recurrent(settings: ModuleSettings) -> bool:
    return settings.count == "gru" or settings.span == "attention-only"


def _count(passages: Iterable[Passage]) -> int:
    return sum(len(passage.questions) for passage in passages)
