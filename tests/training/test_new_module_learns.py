"""A module added by a user is trained: from evidence to programs, weights and answers."""

import json
from pathlib import Path

import pytest
from new_modules import PERIMETER, add_files, two_numbers, without_new_modules

from tiny import save_encoder, tiny_bert, tiny_tokenizer
from workings.data.kinds import load_split
from workings.modules import REGISTRY, load_folder
from workings.reader import Reader
from workings.settings import Recipe
from workings.supervision.supervise import supervise_all
from workings.training.trainer import train

PERIMETERS = [
    {
        "passage": "The garden is 12 yards long and 3 yards wide.",
        "question": "How many yards of fence go around the garden?",
        "evidence": "2*(12+3)",
        "answer": "30",
    },
    {
        "passage": "The driver is 44 years old. The yard is 8 yards long and 5 yards wide.",
        "question": "How long is the wall around the yard?",
        "evidence": "2*(8+5)",
        "answer": "26",
    },
    {
        "passage": "The school bought 4 rulers for a board of 7 inches by 9 inches.",
        "question": "How many inches is the edge around the board?",
        "evidence": "2*(7+9)",
        "answer": "32",
    },
]
OTHERS = [
    {
        "passage": "The baker sold 20 rolls in the morning and 31 rolls at noon.",
        "question": "How many rolls did the baker sell in total?",
        "evidence": "20+31",
        "answer": "51",
    },
    {
        "passage": "Ada found 14 shells on the beach, and Ben found 5 shells.",
        "question": "How many more shells did Ada find than Ben?",
        "evidence": "14-5",
        "answer": "9",
    },
]

restored_registry = pytest.fixture(autouse=True)(without_new_modules)


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    """A recipe for a tiny encoder, and the files that it names."""
    lines = [*PERIMETERS, *OTHERS]
    (tmp_path / "train.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    tokenizer = tiny_tokenizer(*(line["passage"] + line["question"] for line in lines))
    save_encoder(tiny_bert(tokenizer), tokenizer, tmp_path / "encoder")
    return Recipe.read(
        {
            "encoder": {"source": str(tmp_path / "encoder"), "dropout": 0.0},
            "programmer": {"width": 32},
            "data": {"train": "train.jsonl", "dev": "train.jsonl"},
            "train": {
                "epochs": 40,
                "passages_per_group": 5,
                "groups_per_step": 1,
                "lr_encoder": 5e-3,
                "lr_modules": 5e-3,
                "ema_decay": 0,
            },
        }
    )


def test_learns_to_write_and_run_a_new_module(tmp_path: Path, recipe: Recipe) -> None:
    load_folder(add_files(tmp_path / "modules", perimeter=PERIMETER))
    assert "perimeter" in REGISTRY
    derived = supervise_all(load_split(tmp_path / "train.jsonl")).values()
    programs = [supervision.derivations[0].program for supervision in derived]
    assert programs[: len(PERIMETERS)] == [str(two_numbers("perimeter"))] * len(PERIMETERS)
    assert not any("perimeter" in program for program in programs[len(PERIMETERS) :])
    reader = Reader.from_pretrained(train(recipe, tmp_path / "run", tmp_path))
    metrics = (tmp_path / "run/metrics.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in metrics]
    losses = [row["answer"] + row["execution"] for row in rows if "answer" in row]
    assert losses[-1] < 0.1 * losses[0]
    for line in PERIMETERS:
        explanation = reader.ask(line["question"], line["passage"])
        assert explanation.program == str(two_numbers("perimeter"))
        assert explanation.answer.texts == (line["answer"],)
    for line in OTHERS:
        explanation = reader.ask(line["question"], line["passage"])
        assert "perimeter" not in explanation.program
        assert explanation.answer.texts == (line["answer"],)
