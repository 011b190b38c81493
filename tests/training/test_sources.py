"""What a recipe trains on: kinds of questions, and sums or differences among them."""

from pathlib import Path

import pytest

from tiny import tiny_tokenizer
from workings.data.records import Question
from workings.errors import DataError, RecipeError
from workings.settings import DataSettings, Recipe
from workings.training.sources import load_sources, wanted

COUNTED = Question("a", "How many goals did they score?", (), kind="count")
ADDED = Question("b", "How many total goats were sold?", (), kind="add-sub")
SUBTRACTED = Question("c", "How many more goats than cows?", (), kind="add-sub")
OTHER = Question("d", "How many more cows were there in total combined?", ())
ALL = (COUNTED, ADDED, SUBTRACTED, OTHER)


def chosen(**settings: tuple[str, ...]) -> list[Question]:
    data = DataSettings.model_validate(settings)
    return [question for question in ALL if wanted(question, data)]


def test_without_settings_everything_is_wanted() -> None:
    assert chosen() == list(ALL)


def test_kinds_are_chosen() -> None:
    assert chosen(kinds=("count", "add-sub")) == [COUNTED, ADDED, SUBTRACTED]


def test_operations_choose_among_add_sub_questions_alone() -> None:
    assert chosen(operations=("add",)) == [COUNTED, ADDED, OTHER]
    assert chosen(kinds=("add-sub",), operations=("sub",)) == [SUBTRACTED]
    assert chosen(kinds=("add-sub",), operations=("add", "sub")) == [ADDED, SUBTRACTED]


def load(folder: Path, **data: object) -> None:
    recipe = Recipe.read({"data": data})
    load_sources(recipe, folder, tiny_tokenizer("a"), folder, lambda *_: None)


def test_nothing_to_train_on(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no question to train on[\s\S]*data.world"):
        load(tmp_path)


def test_an_unknown_kind(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"cuont[\s\S]*Did you mean 'count'"):
        load(tmp_path, world=1, kinds=["cuont"])
