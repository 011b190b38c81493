"""What a recipe trains on: kinds of questions, and sums or differences among them."""

from workings.data.records import Question
from workings.settings import DataSettings
from workings.training.sources import wanted

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
