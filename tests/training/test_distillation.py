"""A network that is taught by another comes to give its vectors."""

from pathlib import Path

import pytest
import torch

from tiny import PASSAGE, QUESTION, tiny_network
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import RecipeError
from workings.settings import Recipe
from workings.training.distillation import Teacher, distance
from workings.training.trainer import train

ONE_LAYER = {"layers": 1, "dropout": 0.0}


def test_the_distance_by_hand() -> None:
    theirs = torch.tensor([[[3.0, 4.0], [1.0, 0.0], [9.0, 9.0]]])
    mine = torch.tensor([[[3.0, 2.0], [0.0, 1.0], [0.0, 0.0]]])
    mask = torch.tensor([[True, True, False]])
    # Apart by 0 + 4 and 1 + 1; the teacher's vectors have 9 + 16 and 1 + 0.
    assert distance(mine, theirs, mask).item() == pytest.approx(6 / 26)


def test_vectors_of_nothing_are_not_far_apart() -> None:
    nothing = torch.zeros(1, 2, 3)
    assert distance(nothing, nothing, torch.ones(1, 2, dtype=torch.bool)).item() == 0


def test_nothing_is_to_be_learned_from_oneself() -> None:
    network = tiny_network(Recipe.read({"encoder": ONE_LAYER}))
    pieces = TokenizedText.cut(QUESTION, network.tokenizer)
    read = PassageInput.read(PASSAGE, network.tokenizer)
    other = tiny_network(Recipe.read({"encoder": ONE_LAYER}))
    torch.nn.init.normal_(next(other.encoder.layers.parameters()))
    for teacher, same in ((network, True), (other, False)):
        mine = network.encoder([pieces], [read])
        assert (Teacher.of(teacher, network).loss(mine).item() < 1e-10) == same


def test_the_teacher_learns_nothing() -> None:
    network, teacher = (tiny_network(Recipe.read({"encoder": ONE_LAYER})) for _ in range(2))
    pieces = TokenizedText.cut(QUESTION, network.tokenizer)
    read = PassageInput.read(PASSAGE, network.tokenizer)
    Teacher.of(teacher, network).loss(network.encoder([pieces], [read])).backward()
    assert all(parameter.grad is None for parameter in teacher.encoder.parameters())
    assert any(parameter.grad is not None for parameter in network.encoder.parameters())


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


def quiet(_what: str, _done: int, _of: int) -> None:
    pass


def test_a_split_network_is_taught_by_a_joint_one(tmp_path: Path) -> None:
    joint = train(recipe(), tmp_path / "joint", None, None, quiet)
    taught = recipe(
        encoder=SMALL | {"split": 1},
        start=str(joint),
        teacher=str(joint),
        loss={"distillation": 2.0},
    )
    train(taught, tmp_path / "split", None, None, quiet)
    first = (tmp_path / "split" / "metrics.jsonl").read_text("utf-8").splitlines()[0]
    assert '"teaching"' in first


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"encoder": SMALL | {"width": 16}}, "another width"),
        ({"encoder": SMALL | {"dropout": 0.1}}, "With dropout"),
        ({"model": "naqanet"}, "only a network of modules"),
    ],
)
def test_a_teacher_that_cannot_be_followed(
    tmp_path: Path, settings: dict[str, object], message: str
) -> None:
    joint = train(recipe(), tmp_path / "joint", None, None, quiet)
    with pytest.raises(RecipeError, match=message):
        train(recipe(teacher=str(joint), **settings), tmp_path / "other", None, None, quiet)
