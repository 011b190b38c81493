"""Training with a new module: supervision derives it, and the programmer learns to write it."""

import json
from pathlib import Path

import pytest
from new_modules import MULTIPLY, add_files, two_numbers, without_new_modules

from tiny import tiny_network
from workings.checkpoint.model_folder import save
from workings.data.kinds import load_split
from workings.modules import load_folder
from workings.reader import Reader
from workings.settings import Recipe
from workings.supervision.supervise import supervise_all
from workings.training.trainer import train

registry_before = pytest.fixture(autouse=True)(without_new_modules)

# Passage, question, answer and evidence.
LESSONS = [
    ("The farm packs 4 boxes, and a box holds 6 eggs.", "How many eggs are packed?", "24", "4*6"),
    ("The club bought 3 bats, and a bat cost 7 pounds.", "What was the price?", "21", "3 × 7 = 21"),
    ("The band played 5 songs of 8 minutes.", "What is 5 times 8?", "40", ""),  # found by its cue
]


def test_is_trained(tmp_path: Path) -> None:
    load_folder(add_files(tmp_path / "more", multiply=MULTIPLY))
    rows = [
        {"passage": passage, "question": question, "answer": answer, "evidence": evidence}
        for passage, question, answer, evidence in LESSONS
    ]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    (tmp_path / "lessons.jsonl").write_text(lines, "utf-8")
    passages = load_split(tmp_path / "lessons.jsonl")
    for supervision in supervise_all(passages).values():
        assert supervision.derivations[0].program == str(two_numbers("multiply"))
    encoder = save(tiny_network(), tmp_path / "encoder")
    recipe = Recipe.read(
        {
            "name": "multiply",
            "encoder": {"source": str(encoder)},
            "data": {"train": "lessons.jsonl", "dev": "lessons.jsonl"},
            "train": {"epochs": 20, "lr_encoder": 1e-3, "lr_modules": 1e-2, "cache_gb": 0},
        }
    )
    reader = Reader.from_pretrained(train(recipe, tmp_path / "run", tmp_path))
    for passage, question, answer, _ in LESSONS:
        explanation = reader.ask(question, passage)
        assert explanation.program == str(two_numbers("multiply"))
        assert explanation.answer.texts == (answer,)
