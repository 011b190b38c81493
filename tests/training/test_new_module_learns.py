"""A module added by a user is trained: from evidence to programs, weights and answers."""

import json
from pathlib import Path

import pytest
from new_modules import MULTIPLY, add_files, two_numbers, without_new_modules

from tiny import save_encoder, tiny_bert, tiny_tokenizer
from workings.modules import REGISTRY, load_folder
from workings.reader import Reader
from workings.settings import Recipe
from workings.training.trainer import train

PRODUCTS = [
    {
        "passage": "The farm packs 12 crates every day, and each crate holds 3 melons.",
        "question": "How many melons does the farm pack every day?",
        "evidence": "12*3",
        "answer": "36",
    },
    {
        "passage": "The driver is 44 years old. The bus has 8 rows, and each row has 5 seats.",
        "question": "How many seats does the bus have?",
        "evidence": "8*5",
        "answer": "40",
    },
    {
        "passage": "The school ordered 4 rulers and 7 packs of pencils with 9 pencils in a pack.",
        "question": "How many pencils did the school order?",
        "evidence": "7*9",
        "answer": "63",
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
    lines = [*PRODUCTS, *OTHERS]
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
    load_folder(add_files(tmp_path / "modules", multiply=MULTIPLY))
    assert "multiply" in REGISTRY
    reader = Reader.from_pretrained(train(recipe, tmp_path / "run", tmp_path))
    metrics = (tmp_path / "run/metrics.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in metrics]
    losses = [row["answer"] + row["execution"] for row in rows if "answer" in row]
    assert losses[-1] < 0.1 * losses[0]
    for line in PRODUCTS:
        explanation = reader.ask(line["question"], line["passage"])
        assert explanation.program == str(two_numbers("multiply"))
        assert str(explanation.answer) == line["answer"]
    for line in OTHERS:
        explanation = reader.ask(line["question"], line["passage"])
        assert "multiply" not in explanation.program
        assert str(explanation.answer) == line["answer"]
