"""What a reproduction will do, row by row, and about how long each will take."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workings.data.records import Passage, Question
from workings.reproduce.result_tables import Grid
from workings.reproduce.rows import Row
from workings.reproduce.runner import Reproduction
from workings.settings import DataSettings, ModuleSettings, Recipe, TrainSettings
from workings.training.batches import Order
from workings.training.sources import dev_passages, training_passages, wanted

# Seconds on two idle cores for a question of about 320 word-pieces, as docs/experiments.md
# measured them for encoders 384 wide: a layer read forward (backward is twice that), and all else.
_LAYER = 0.010
_TEACHING = 0.040
_RECURRENT = 0.090  # the paper's counter and span go through a passage word by word
_ANSWERING = 0.025
_STARTING = 15.0  # packages, weights and files read
_LAYERS = 12


@dataclass(frozen=True, slots=True)
class Planned:
    """A row to come: the questions it will see, and the seconds that should take."""

    row: Row
    questions: int
    seconds: float
    done: bool


def plan(reproduction: Reproduction, rows: Sequence[Row]) -> list[Planned]:
    """Every row with an estimate; those that are kept take no time."""
    recipes = {row.name: reproduction.recipe(row) for row in rows}
    data = next(iter(recipes.values())).data  # all rows read the same files
    teaching = training_passages(data, reproduction.data)
    choosing = _count(dev_passages(data, reproduction.data))
    scoring = _count(reproduction.passages())
    planned = []
    for row in rows:
        recipe, done = recipes[row.name], reproduction.kept(row) is not None
        groups = [_wanted(passage, recipe.data) for passage in teaching]
        evaluations = math.ceil(_steps(groups, recipe.train) / recipe.train.evaluate_every)
        seen = round(recipe.train.epochs * sum(map(len, groups)))
        answered = evaluations * choosing + scoring
        seconds = 0.0 if done else _seconds(recipe, seen, answered)
        planned.append(Planned(row, seen, seconds, done))
    return planned


def plan_grid(planned: Sequence[Planned]) -> Grid:
    """A plan to print."""
    lines = [_line(each) for each in planned]
    total = f"{sum(each.seconds for each in planned) / 60:.0f}"
    return Grid(
        "Plan",
        ("row", "recipe", "settings changed", "questions seen", "minutes"),
        (*lines, ("all", "", "", f"{sum(each.questions for each in planned):,}", total)),
        ("Minutes are estimated for two idle cores, as if nothing had been cached.",),
    )


def _line(planned: Planned) -> tuple[str, ...]:
    row = planned.row
    minutes = "kept" if planned.done else f"{planned.seconds / 60:.1f}"
    return row.name, row.base, " ".join(row.changes), f"{planned.questions:,}", minutes


def _wanted(passage: Passage, settings: DataSettings) -> list[Question]:
    return [question for question in passage.questions if wanted(question, settings)]


def _steps(groups: Sequence[Sequence[Question]], settings: TrainSettings) -> float:
    order = Order(settings.questions_per_group, settings.seed, settings.passages_per_group)
    return settings.epochs * order.length(groups) / settings.groups_per_step


def _seconds(recipe: Recipe, seen: int, answered: int) -> float:
    layers = recipe.encoder.layers or _LAYERS
    taught = layers - recipe.encoder.frozen
    teach = _LAYER * (recipe.encoder.frozen + 3 * taught) + _TEACHING
    if _recurrent(recipe.modules):
        teach += _RECURRENT
    return _STARTING + seen * teach + answered * (_LAYER * layers + _ANSWERING)


def _recurrent(settings: ModuleSettings) -> bool:
    return settings.count == "gru" or settings.span == "attention-only"


def _count(passages: Iterable[Passage]) -> int:
    return sum(len(passage.questions) for passage in passages)
