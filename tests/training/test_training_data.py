"""The data of a run: selection of questions, evidence, repetitions."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tiny import tiny_tokenizer
from workings.data.records import Question
from workings.errors import DataError, RecipeError
from workings.progress import no_progress
from workings.settings import DataSettings, Recipe
from workings.training.training_data import TrainingData, is_selected, load_training_data

COUNT = Question("a", "How many goals did they score?", (), kind="count")
ADDITION = Question("b", "How many total goats were sold?", (), kind="add-sub")
SUBTRACTION = Question("c", "How many more goats than cows?", (), kind="add-sub")
NO_KIND = Question("d", "How many more cows were there in total combined?", ())
ALL = (COUNT, ADDITION, SUBTRACTION, NO_KIND)


def selected(**settings: tuple[str, ...]) -> list[Question]:
    data = DataSettings.model_validate(settings)
    return [question for question in ALL if is_selected(question, data)]


def test_selects_all_questions_by_default() -> None:
    assert selected() == list(ALL)


def test_selects_by_kind() -> None:
    assert selected(kinds=("count", "add-sub")) == [COUNT, ADDITION, SUBTRACTION]


def test_selects_add_sub_questions_by_operation() -> None:
    assert selected(operations=("add",)) == [COUNT, ADDITION, NO_KIND]
    assert selected(kinds=("add-sub",), operations=("sub",)) == [SUBTRACTION]
    assert selected(kinds=("add-sub",), operations=("add", "sub")) == [ADDITION, SUBTRACTION]


HARVEST = {
    "passage": "The farm sold 40 sheep and 25 goats, and kept 22 hens and 7 cows.",
    "question": "How many more sheep than goats were sold?",
    "answer": "15",
    "evidence": "40-25",
}


def load(folder: Path, *lines: dict[str, str], **settings: dict[str, object]) -> TrainingData:
    """Load the data of a recipe; lines are written to the training file."""
    settings.setdefault("data", {})
    if lines:
        (folder / "train.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
        settings["data"]["train"] = "train.jsonl"
    texts = " ".join(line["passage"] + line["question"] for line in lines)
    tokenizer = tiny_tokenizer(texts or "a")
    return load_training_data(
        Recipe.read(settings), folder, tokenizer, folder / "cache", no_progress
    )


def test_rejects_a_recipe_without_questions(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no question to train on[\s\S]*data.synthetic"):
        load(tmp_path)


def test_rejects_unknown_kinds(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"cuont[\s\S]*Did you mean 'count'"):
        load(tmp_path, data={"synthetic": 1, "kinds": ["cuont"]})


@pytest.mark.parametrize("use_evidence", [True, False])
def test_evidence_restricts_derivations(tmp_path: Path, use_evidence: bool) -> None:
    ((example,),) = load(tmp_path, HARVEST, loss={"use_evidence": use_evidence}).groups
    # 15 is 40 − 25 and also 22 − 7; only the evidence says which is right.
    assert example.supervision.count == (1 if use_evidence else 2)
    numbers = [target.numbers for target in example.candidates[0].targets]
    assert numbers == ([(Fraction(n),) for n in (15, 40, 25)] if use_evidence else [])


@pytest.mark.parametrize("use_kinds", [True, False])
def test_kinds_restrict_programs(tmp_path: Path, use_kinds: bool) -> None:
    loss: dict[str, object] = {"use_evidence": False, "use_kinds": use_kinds}
    # The kind still selects the question.
    ((example,),) = load(tmp_path, HARVEST, data={"kinds": ["add-sub"]}, loss=loss).groups
    programs = {str(candidate.program) for candidate in example.candidates}
    # Without its kind, the 15 could also be a count.
    other_kinds = set() if use_kinds else {"count(find)"}
    assert programs == {"sub(find-num(find), find-num(find))"} | other_kinds


THREE_OPERANDS = HARVEST | {
    "question": "How many animals were sold or were hens?",
    "answer": "87",
    "evidence": "40+25+22",
}
COMPARISON = HARVEST | {
    "question": "Were there more sheep sold or more goats?",
    "answer": "sheep",
    "evidence": "40;25",
}


def test_repeats_three_operand_questions_and_comparisons(tmp_path: Path) -> None:
    data: dict[str, object] = {"repeat_three_operand": 3, "repeat_comparison": 2}
    groups = load(tmp_path, HARVEST, THREE_OPERANDS, COMPARISON, data=data).groups
    questions = [[example.question.text for example in group] for group in groups]
    plain, three, comparison = (line["question"] for line in (HARVEST, THREE_OPERANDS, COMPARISON))
    assert questions == [[plain, three, comparison], [three, comparison], [three]]


def test_leaves_out_long_questions(tmp_path: Path) -> None:
    long = HARVEST | {"question": HARVEST["question"] * 3}
    data = load(tmp_path, HARVEST, long)
    size = min(len(example.tokens) for example in data.groups[0])
    assert (data.questions, data.without_long_questions(size).questions) == (2, 1)
    assert data.without_long_questions(1).groups == []
