"""Training by a recipe: the loss falls, and a stopped run ends like one that was not stopped."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from tiny import tiny_network
from workings.checkpoint.model_folder import load, save
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import CheckpointError, DataError, RecipeError
from workings.inference.ranking import answer_candidates
from workings.network.network import Network
from workings.peers import Model
from workings.progress import ProgressCallback
from workings.settings import DataSettings, Recipe
from workings.synthetic import make_synthetic
from workings.training import trainer
from workings.training.examples import TrainingExample
from workings.training.loss import Loss, batch_loss
from workings.training.trainer import build_model, train

pytestmark = pytest.mark.usefixtures("few_dev_passages")


def recipe(**train_settings: object) -> Recipe:
    return Recipe.read(
        {
            "encoder": {"source": "scratch", "layers": 1, "width": 32, "vocabulary": 600},
            "programmer": {"width": 32},
            "data": {"synthetic": 8},
            "train": {
                "epochs": 2,
                "questions_per_group": 4,
                "groups_per_step": 2,
                "lr_encoder": 2e-3,
                "lr_modules": 2e-3,
                "evaluate_every": 1000,
                "cache_gb": 0,
                **train_settings,
            },
        }
    )


class Stopped(Exception):  # noqa: N818 - an interruption, not an error
    pass


def stop_at(step: int) -> ProgressCallback:
    def on_progress(stage: str, done: int, _total: int) -> None:
        if stage == "Training" and done == step:
            raise Stopped

    return on_progress


def checkpoint(run: Path) -> dict[str, Tensor]:
    return load_file(run / "checkpoint/state.safetensors")


def answers(network: Network) -> list[str]:
    """The answers of a network to some synthetic questions."""
    passage = next(iter(make_synthetic(99, 1, names="unseen"))).passage
    questions = [
        TokenizedText.tokenize(question.text, network.tokenizer) for question in passage.questions
    ]
    inputs = [PassageInput.from_text(passage.text, network.tokenizer)] * len(questions)
    with torch.inference_mode():
        candidates = answer_candidates(network, network.encoder(questions, inputs))
    return [str(ranked[0].answer) for ranked in candidates]


def test_the_loss_falls_and_saved_weights_answer_alike(tmp_path: Path) -> None:
    best = train(recipe(epochs=4), tmp_path / "run")
    rows = [json.loads(line) for line in (tmp_path / "run/metrics.jsonl").read_text().splitlines()]
    losses = [row["answer"] for row in rows if "answer" in row]
    assert losses[-1] < losses[0]
    assert (tmp_path / "run/curves.png").read_bytes().startswith(b"\x89PNG")
    assert answers(load(best)) == answers(load(best))


@pytest.mark.parametrize("precision", ["no", "bf16"])
def test_a_stopped_run_ends_with_the_same_weights(tmp_path: Path, precision: str) -> None:
    settings = recipe(checkpoint_minutes=1e-9, precision=precision)  # a checkpoint every step
    train(settings, tmp_path / "whole")
    for step in (2, 5):
        with pytest.raises(Stopped):
            train(settings, tmp_path / "parts", on_progress=stop_at(step))
    train(settings, tmp_path / "parts")
    whole, parts = checkpoint(tmp_path / "whole"), checkpoint(tmp_path / "parts")
    assert whole.keys() == parts.keys()
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def test_bf16_rounds_in_the_transformer_but_not_the_weights(tmp_path: Path) -> None:
    ends = []
    for precision in ("no", "bf16"):
        train(recipe(epochs=1, precision=precision), tmp_path / precision)
        ends.append(checkpoint(tmp_path / precision))
    weights = [name for name in ends[0] if name.startswith("weight.")]
    assert any(not torch.equal(ends[0][name], ends[1][name]) for name in weights)
    assert all(ends[1][name].dtype == torch.float for name in weights)
    for name in weights:  # an entry moves by about its learning rate a step
        torch.testing.assert_close(ends[0][name], ends[1][name], atol=0.05, rtol=0)


def test_micro_batches_have_the_same_gradient(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = recipe(epochs=0.1, max_grad_norm=1e9)  # one step without clipping
    no_dropout = settings.encoder.model_copy(update={"dropout": 0.0})
    settings = settings.model_copy(update={"encoder": no_dropout})
    sizes: dict[str, list[int]] = {"whole": [], "split": []}
    for name, limit in (("whole", trainer._MAX_ACTIVATION_ENTRIES), ("split", 1)):
        monkeypatch.setattr(trainer, "_MAX_ACTIVATION_ENTRIES", limit)
        monkeypatch.setattr(trainer, "batch_loss", _recording(sizes[name]))
        train(settings, tmp_path / name)
    assert max(sizes["whole"]) == 4 and set(sizes["split"]) == {1}
    whole, split = checkpoint(tmp_path / "whole"), checkpoint(tmp_path / "split")
    for name in whole:
        if name.startswith("adam.exp_avg."):  # a tenth of the gradient
            torch.testing.assert_close(whole[name], split[name], atol=1e-5, rtol=1e-3)


def _recording(sizes: list[int]):  # type: ignore[no-untyped-def]
    """``batch_loss`` that also records the sizes of the batches."""

    def recorded(model: Model, examples: Sequence[TrainingExample], *rest: Any) -> Loss:
        sizes.append(len(examples))
        return batch_loss(model, examples, *rest)

    return recorded


def test_a_run_restarted_with_cached_activations_ends_with_the_same_weights(
    tmp_path: Path,
) -> None:
    model = save(tiny_network(Recipe.read({"encoder": {"layers": 2}})), tmp_path / "model")
    cached = Recipe.read(
        {
            "encoder": {"source": str(model), "frozen": 1},
            "data": {"synthetic": 4},
            "train": {
                "epochs": 2,
                "questions_per_group": 4,
                "groups_per_step": 2,
                "cache_gb": 1,
            },
        }
    )
    train(cached, tmp_path / "whole")
    with pytest.raises(Stopped):  # before any checkpoint: the run starts again
        train(cached, tmp_path / "parts", on_progress=stop_at(3))
    assert list((tmp_path / "parts/cache/activations").iterdir())
    train(cached, tmp_path / "parts")
    whole, parts = checkpoint(tmp_path / "whole"), checkpoint(tmp_path / "parts")
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def test_rejects_an_encoder_from_scratch_without_synthetic_data_or_with_frozen_layers() -> None:
    scratch = {"source": "scratch", "layers": 1, "width": 32}
    with pytest.raises(RecipeError, match="learns its vocabulary from synthetic data"):
        build_model(Recipe.read({"encoder": scratch, "data": {"train": "train.json"}}))
    with pytest.raises(RecipeError, match="cannot have frozen layers"):
        build_model(Recipe.read({"encoder": scratch | {"frozen": 1}, "data": {"synthetic": 1}}))


def test_resumes_from_the_last_complete_checkpoint(tmp_path: Path) -> None:
    settings = recipe(checkpoint_minutes=1e-9)
    with pytest.raises(Stopped):
        train(settings, tmp_path, on_progress=stop_at(3))
    # As if killed between the two renames, while the next checkpoint was written.
    (tmp_path / "checkpoint").rename(tmp_path / "checkpoint.old")
    (tmp_path / "checkpoint.new").mkdir()
    (tmp_path / "checkpoint.new/state.safetensors").write_bytes(b"cut")
    train(settings, tmp_path)
    progress = json.loads((tmp_path / "checkpoint/progress.json").read_text())
    assert progress["questions"] == 2 * 64


def test_rejects_a_folder_of_another_recipe(tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        train(recipe(), tmp_path, on_progress=stop_at(1))
    with pytest.raises(CheckpointError, match="another recipe"):
        train(recipe(seed=5), tmp_path)


def test_rejects_data_files_without_a_data_folder(tmp_path: Path) -> None:
    with_file = recipe().model_copy(
        update={"data": DataSettings.model_validate({"sources": "t.json", "synthetic": 2})}
    )
    with pytest.raises(DataError, match="--data"):
        train(with_file, tmp_path)
