"""Training of peers by the trainer of the module network."""

import json
from pathlib import Path

import pytest

from workings.checkpoint.model_folder import load_model
from workings.errors import CheckpointError
from workings.evaluation.prediction import predict_texts
from workings.peers import NAQANet, NumNet
from workings.settings import Recipe
from workings.synthetic import make_synthetic
from workings.training.trainer import train
from workings.training.training_run import TrainingRun

pytestmark = pytest.mark.usefixtures("few_dev_passages")


def recipe(model: str) -> Recipe:
    return Recipe.read(
        {
            "model": model,
            "encoder": {"source": "scratch", "layers": 2, "width": 32, "vocabulary": 600},
            "peer": {"operands": 2, "constants": [100]},
            "data": {"synthetic": 1},
            "train": {
                "epochs": 40,  # of one step each, on the same few questions
                "questions_per_group": 8,
                "groups_per_step": 1,
                "lr_encoder": 2e-3,
                "lr_modules": 2e-3,
                "evaluate_every": 1000,
            },
        }
    )


def quiet(_what: str, _done: int, _of: int) -> None:
    pass


@pytest.mark.parametrize(("model", "kind"), [("naqanet", NAQANet), ("numnet", NumNet)])
def test_peer_trains_and_loads(model: str, kind: type[NAQANet], tmp_path: Path) -> None:
    best = train(recipe(model), tmp_path / "run", None, None, quiet)
    rows = [json.loads(line) for line in (tmp_path / "run/metrics.jsonl").read_text().splitlines()]
    losses = [row["answer"] for row in rows if "answer" in row]
    assert losses[-1] < losses[0]
    assert (tmp_path / "run/curves.png").read_bytes().startswith(b"\x89PNG")
    first, second = load_model(best), load_model(best)
    assert type(first) is kind
    passages = [made.passage for made in make_synthetic(99, 1, names="unseen")]
    answers = [[texts for _, texts in predict_texts(each, passages)] for each in (first, second)]
    assert answers[0] == answers[1] and all(answers[0])


def test_run_resumes_if_its_recipe_lacks_a_setting_with_a_default(tmp_path: Path) -> None:
    run, file = TrainingRun(tmp_path, recipe("modules")), tmp_path / "recipe.json"
    run.open()
    saved = json.loads(file.read_text())
    del saved["model"]
    file.write_text(json.dumps(saved))
    run.open()
    with pytest.raises(CheckpointError, match="another recipe"):
        TrainingRun(tmp_path, recipe("numnet")).open()


@pytest.mark.parametrize("name", ["naqanet", "numnet"])
def test_peer_recipes_share_encoder_data_and_training_with_kinds(name: str) -> None:
    peer, kinds = Recipe.load(name), Recipe.load("kinds")
    assert peer.model == name
    assert (peer.encoder, peer.data, peer.train) == (kinds.encoder, kinds.data, kinds.train)
