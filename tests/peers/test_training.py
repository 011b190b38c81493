"""A peer by its recipe: the trainer of the networks of modules trains it too."""

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


def recipe(model: str) -> Recipe:
    return Recipe.read(
        {
            "model": model,
            "encoder": {"source": "scratch", "layers": 2, "width": 32, "vocabulary": 600},
            "peer": {"operands": 2, "constants": [100]},
            "data": {"synthetic": 1},
            "train": {
                "epochs": 40,  # of one step each: the same few questions again and again
                "questions": 8,
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
def test_a_peer_learns_and_answers_alike_from_disk(
    model: str, kind: type[NAQANet], tmp_path: Path
) -> None:
    best = train(recipe(model), tmp_path / "run", None, None, quiet)
    rows = [json.loads(line) for line in (tmp_path / "run/metrics.jsonl").read_text().splitlines()]
    losses = [row["answer"] for row in rows if "answer" in row]
    assert losses[-1] < losses[0]
    assert (tmp_path / "run/curves.png").read_bytes().startswith(b"\x89PNG")
    first, second = load_model(best), load_model(best)
    assert type(first) is kind
    passages = [made.passage for made in make_synthetic(99, 1, names="unseen")]
    told = [[texts for _, texts in predict_texts(one, passages)] for one in (first, second)]
    assert told[0] == told[1] and all(told[0])


def test_a_run_begun_before_there_were_peers_goes_on(tmp_path: Path) -> None:
    run, kept = TrainingRun(tmp_path, recipe("modules")), tmp_path / "recipe.json"
    run.open()
    older = {name: one for name, one in json.loads(kept.read_text()).items() if name != "model"}
    kept.write_text(json.dumps(older))
    run.open()
    with pytest.raises(CheckpointError, match="another recipe"):
        TrainingRun(tmp_path, recipe("numnet")).open()


@pytest.mark.parametrize("name", ["naqanet", "numnet"])
def test_the_shipped_recipes_differ_from_kinds_in_the_model_alone(name: str) -> None:
    peer, kinds = Recipe.load(name), Recipe.load("kinds")
    assert peer.model == name
    assert (peer.encoder, peer.data, peer.train) == (kinds.encoder, kinds.data, kinds.train)
