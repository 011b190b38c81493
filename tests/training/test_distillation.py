"""Distillation: the distance from the teacher's vectors, and training with a teacher."""

import json
from pathlib import Path

import pytest
import torch

from tiny import PASSAGE, QUESTION, tiny_network
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import RecipeError
from workings.settings import Recipe
from workings.training.distillation import Teacher, relative_squared_distance
from workings.training.trainer import train

pytestmark = pytest.mark.usefixtures("few_dev_passages")

ONE_LAYER = {"layers": 1, "dropout": 0.0}


def test_distance_by_hand() -> None:
    teacher = torch.tensor([[[3.0, 4.0], [1.0, 0.0], [9.0, 9.0]]])
    student = torch.tensor([[[3.0, 2.0], [0.0, 1.0], [0.0, 0.0]]])
    mask = torch.tensor([[True, True, False]])
    # Squared distances 0 + 4 and 1 + 1; squared norms of the teacher 9 + 16 and 1 + 0.
    assert relative_squared_distance(student, teacher, mask).item() == pytest.approx(6 / 26)


def test_distance_of_zero_vectors_is_zero() -> None:
    zeros = torch.zeros(1, 2, 3)
    assert relative_squared_distance(zeros, zeros, torch.ones(1, 2, dtype=torch.bool)).item() == 0


def test_loss_is_zero_only_for_equal_encoders() -> None:
    student = tiny_network(Recipe.read({"encoder": ONE_LAYER}))
    question = TokenizedText.tokenize(QUESTION, student.tokenizer)
    passage = PassageInput.from_text(PASSAGE, student.tokenizer)
    other = tiny_network(Recipe.read({"encoder": ONE_LAYER}))
    torch.nn.init.normal_(next(other.encoder.layers.parameters()))
    for teacher, equal in ((student, True), (other, False)):
        encoding = student.encoder([question], [passage])
        loss = Teacher.from_model(teacher, student).loss(encoding)
        assert (loss.item() < 1e-10) == equal


def test_gradients_reach_the_student_only() -> None:
    student, teacher = (tiny_network(Recipe.read({"encoder": ONE_LAYER})) for _ in range(2))
    question = TokenizedText.tokenize(QUESTION, student.tokenizer)
    passage = PassageInput.from_text(PASSAGE, student.tokenizer)
    encoding = student.encoder([question], [passage])
    Teacher.from_model(teacher, student).loss(encoding).backward()
    assert all(parameter.grad is None for parameter in teacher.encoder.parameters())
    assert any(parameter.grad is not None for parameter in student.encoder.parameters())


SMALL = {"source": "scratch", "layers": 2, "width": 32, "vocabulary": 600, "dropout": 0.0}


def recipe(**settings: object) -> Recipe:
    return Recipe.read(
        {
            "encoder": SMALL,
            "programmer": {"width": 32},
            "data": {"synthetic": 2},
            "train": {"epochs": 1, "evaluate_every": 1000},
            **settings,
        }
    )


@pytest.fixture(scope="module")
def joint(tmp_path_factory: pytest.TempPathFactory, few_dev_passages: None) -> Path:  # noqa: ARG001
    return train(recipe(), tmp_path_factory.mktemp("runs") / "joint")


def test_trains_a_split_network_with_a_joint_teacher(tmp_path: Path, joint: Path) -> None:
    split = recipe(
        encoder=SMALL | {"split": 1},
        start=str(joint),
        teacher=str(joint),
        loss={"distillation": 2.0},
    )
    train(split, tmp_path / "split")
    first = (tmp_path / "split" / "metrics.jsonl").read_text("utf-8").splitlines()[0]
    assert json.loads(first)["distillation"] > 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"encoder": SMALL | {"width": 16}}, "another width"),
        ({"encoder": SMALL | {"dropout": 0.1}}, "without dropout"),
        ({"model": "naqanet"}, "needs a network of modules"),
    ],
)
def test_rejects_a_teacher_that_does_not_fit(
    tmp_path: Path, joint: Path, settings: dict[str, object], message: str
) -> None:
    with pytest.raises(RecipeError, match=message):
        train(recipe(teacher=str(joint), **settings), tmp_path / "other")
