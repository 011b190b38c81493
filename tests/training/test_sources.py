"""What a recipe trains on: kinds of questions, and sums or differences among them."""

import json
from fractions import Fraction
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
    with pytest.raises(DataError, match=r"no question to train on[\s\S]*data.synthetic"):
        load(tmp_path)


HARVEST = {
    "passage": "The farm sold 40 sheep and 25 goats, and kept 22 hens and 7 cows.",
    "question": "How many more sheep than goats were sold?",
    "answer": "15",
    "evidence": "40-25",
}


@pytest.mark.parametrize("narrow", [True, False])
def test_evidence_narrows_unless_it_is_not_to(tmp_path: Path, narrow: bool) -> None:
    (tmp_path / "train.jsonl").write_text(json.dumps(HARVEST), "utf-8")
    recipe = Recipe.read({"data": {"train": "train.jsonl"}, "loss": {"use_evidence": narrow}})
    tokenizer = tiny_tokenizer(HARVEST["passage"] + HARVEST["question"])
    sources = load_sources(recipe, tmp_path, tokenizer, tmp_path / "cache", lambda *_: None)
    ((one,),) = sources.groups
    # 15 is also 22 − 7; which one is meant only the evidence says.
    assert one.supervision.count == (1 if narrow else 2)
    taught = [pick.numbers for pick in one.candidates[0].picks]
    assert taught == ([(Fraction(n),) for n in (15, 40, 25)] if narrow else [])


@pytest.mark.parametrize("kinds", [True, False])
def test_a_kind_says_which_programs_unless_it_is_not_to(tmp_path: Path, kinds: bool) -> None:
    (tmp_path / "train.jsonl").write_text(json.dumps(HARVEST), "utf-8")
    loss = {"use_evidence": False, "kinds": kinds}
    recipe = Recipe.read({"data": {"train": "train.jsonl", "kinds": ["add-sub"]}, "loss": loss})
    tokenizer = tiny_tokenizer(HARVEST["passage"] + HARVEST["question"])
    sources = load_sources(recipe, tmp_path, tokenizer, tmp_path / "cache", lambda *_: None)
    ((one,),) = sources.groups  # it is still trained on as a question of its kind
    programs = {str(candidate.program) for candidate in one.candidates}
    # Without its kind the fifteen might as well be counted.
    counted = set() if kinds else {"count(find)"}
    assert programs == {"sub(find-num(find), find-num(find))"} | counted


SOLD_OR_HENS = HARVEST | {
    "question": "How many animals were sold or were hens?",
    "answer": "87",
    "evidence": "40+25+22",
}
MORE_SHEEP = HARVEST | {
    "question": "Were there more sheep sold or more goats?",
    "answer": "sheep",
    "evidence": "40;25",
}


def test_questions_of_three_numbers_and_comparisons_are_gone_through_more_often(
    tmp_path: Path,
) -> None:
    lines = [HARVEST, SOLD_OR_HENS, MORE_SHEEP]
    (tmp_path / "train.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    recipe = Recipe.read(
        {"data": {"train": "train.jsonl", "repeat_three_operand": 3, "repeat_comparison": 2}}
    )
    texts = [line["question"] for line in lines]
    tokenizer = tiny_tokenizer(HARVEST["passage"] + " ".join(texts))
    sources = load_sources(recipe, tmp_path, tokenizer, tmp_path / "cache", lambda *_: None)
    asked = [[one.question.text for one in group] for group in sources.groups]
    plain, three, compared = texts
    assert asked == [[plain, three, compared], [three, compared], [three]]


def test_questions_too_long_to_be_read_are_left_out(tmp_path: Path) -> None:
    long = HARVEST | {"question": HARVEST["question"] * 3}
    lines = "\n".join(json.dumps(line) for line in (HARVEST, long))
    (tmp_path / "train.jsonl").write_text(lines, "utf-8")
    recipe = Recipe.read({"data": {"train": "train.jsonl"}})
    tokenizer = tiny_tokenizer(HARVEST["passage"] + HARVEST["question"])
    sources = load_sources(recipe, tmp_path, tokenizer, tmp_path / "cache", lambda *_: None)
    size = min(len(one.tokens) for one in sources.groups[0])
    assert (sources.questions, sources.readable(size).questions) == (2, 1)
    assert sources.readable(1).groups == []


def test_an_unknown_kind(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"cuont[\s\S]*Did you mean 'count'"):
        load(tmp_path, synthetic=1, kinds=["cuont"])
