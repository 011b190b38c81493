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
from workings.training.training_data import (
    TrainingData,
    is_selected,
    load_training_data,
    training_passages,
)

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
        settings["data"].setdefault("sources", [{"file": "train.jsonl"}])
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
    "question": "How many sheep, goats and hens were there?",
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


def questions_of(data: TrainingData) -> list[str]:
    return [example.question.text for group in data.groups for example in group]


GEESE = HARVEST | {
    "passage": "The mill had 9 geese and 4 ducks.",
    "question": "How many more geese than ducks were there?",
    "answer": "5",
    "evidence": "9-4",
}


def test_sources_have_weights(tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_text(json.dumps(GEESE), "utf-8")
    sources = [{"file": "train.jsonl", "weight": 0.5}, {"file": "more.jsonl", "weight": 2}]
    data = load(tmp_path, HARVEST, data={"sources": sources})
    assert questions_of(data) == [HARVEST["question"], GEESE["question"]]
    assert data.weights == [0.5, 2.0]


def test_repeated_questions_have_the_weight_of_their_source(tmp_path: Path) -> None:
    settings: dict[str, object] = {
        "sources": [{"file": "train.jsonl", "weight": 0.5}],
        "repeat_three_operand": 3,
    }
    data = load(tmp_path, HARVEST, THREE_OPERANDS, data=settings)
    assert list(map(len, data.groups)) == [2, 1, 1]
    assert data.weights == [0.5, 0.5, 0.5]


def test_repeats_types(tmp_path: Path) -> None:
    typed = HARVEST | {"type": "sub"}
    data = load(tmp_path, typed, GEESE, data={"repeat_types": {"sub": 2}})
    assert questions_of(data).count(HARVEST["question"]) == 2
    assert questions_of(data).count(GEESE["question"]) == 1


def test_repeats_questions_with_annotated_words(tmp_path: Path) -> None:
    asks = [{"role": "value", "phrase": "sheep", "values": ["40"]}]
    records = {
        "farm": {
            "passage": HARVEST["passage"],
            "qa_pairs": [
                {
                    "query_id": name,
                    "question": HARVEST["question"],
                    "answer": {"number": "15", "date": {}, "spans": []},
                    "evidence": "40-25",
                    **fields,
                }
                for name, fields in (("annotated", {"asks": asks}), ("plain", {}))
            ],
        }
    }
    (tmp_path / "drop.json").write_text(json.dumps(records), "utf-8")
    data = load(tmp_path, data={"sources": [{"file": "drop.json"}], "repeat_asks": 3})
    ids = [example.question.id for group in data.groups for example in group]
    assert (ids.count("annotated"), ids.count("plain")) == (3, 1)


def test_rejects_unknown_types(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"raito[\s\S]*Did you mean 'ratio'"):
        load(tmp_path, HARVEST, data={"repeat_types": {"raito": 2}})


def test_smaller_limit_counts(tmp_path: Path) -> None:
    others = [HARVEST | {"passage": f"{HARVEST['passage']} Year {n}."} for n in range(8)]
    sources = [{"file": "train.jsonl", "passages": 4}]
    assert len(load(tmp_path, *others, data={"sources": sources}).groups) == 4
    assert len(load(tmp_path, *others, data={"sources": sources, "limit": 2}).groups) == 2
    assert len(load(tmp_path, *others, data={"limit": 6}).groups) == 6


def test_dev_files_by_name(tmp_path: Path) -> None:
    (tmp_path / "geese.jsonl").write_text(json.dumps(GEESE), "utf-8")
    dev = [{"file": "train.jsonl"}, {"file": "geese.jsonl"}]
    data = load(tmp_path, HARVEST, data={"dev": dev})
    assert {name: len(passages) for name, passages in data.dev.items()} == {
        "train.jsonl": 1,
        "geese.jsonl": 1,
    }


def test_held_out_titles_are_not_trained_on(tmp_path: Path) -> None:
    pair = {"question": HARVEST["question"], "answer": {"number": "15"}, "evidence": "40-25"}
    drop = {
        f"p{n}": {
            "passage": f"{HARVEST['passage']} {n}.",
            "title": f"T{n % 20}",
            "qa_pairs": [pair],
        }
        for n in range(60)
    }
    (tmp_path / "titles.json").write_text(json.dumps(drop), "utf-8")
    data = load(
        tmp_path,
        HARVEST,
        data={
            "sources": [{"file": "titles.json", "hold_out": 0.3}],
            "dev": [{"file": "titles.json", "held_out": 0.3}],
        },
    )
    trained = {group[0].passage.tokens.text for group in data.groups}
    scored = {passage.text for passage in data.dev["titles.json"]}
    assert len(trained) + len(scored) == 60
    assert trained.isdisjoint(scored)
    assert 0 < len(scored) < 40
    assert len(scored) % 3 == 0  # whole titles


def test_unanswerable_questions_are_made(tmp_path: Path) -> None:
    (tmp_path / "train.jsonl").write_text("\n".join(map(json.dumps, (HARVEST, GEESE))), "utf-8")
    recipe = Recipe.read({"data": {"sources": "train.jsonl", "unanswerable": 0.99}})
    (source,) = training_passages(recipe, tmp_path)
    made = [q for passage in source.passages for q in passage.questions if q.unanswerable]
    assert made
    assert all(question.type == "none" for question in made)
