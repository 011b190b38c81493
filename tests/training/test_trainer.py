"""Training by a recipe: the loss falls, a stopped run goes on as if it had not been."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from tiny import tiny_network
from workings.checkpoint.model_folder import load, save
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import CheckpointError, DataError, RecipeError
from workings.inference.ranking import answer_candidates
from workings.peers import Model
from workings.settings import Recipe
from workings.synthetic import make_synthetic
from workings.training import fit
from workings.training.examples import TrainingExample
from workings.training.loss import Loss, batch_loss
from workings.training.trainer import build_model, train


def recipe(**train_settings: object) -> Recipe:
    return Recipe.read(
        {
            "encoder": {"source": "scratch", "layers": 1, "width": 32, "vocabulary": 600},
            "programmer": {"width": 32},
            "data": {"synthetic": 8},
            "train": {
                "epochs": 2,
                "questions": 4,
                "groups_per_step": 2,
                "lr_encoder": 2e-3,
                "lr_modules": 2e-3,
                "evaluate_every": 1000,
                "cache_gb": 0,
                **train_settings,
            },
        }
    )


def quiet(_what: str, _done: int, _of: int) -> None:
    pass


class Stopped(Exception):  # noqa: N818 - a turn of events, not an error
    pass


def stop_at(step: int):  # type: ignore[no-untyped-def]
    def watch(what: str, done: int, _of: int) -> None:
        if what == "Training" and done == step:
            raise Stopped

    return watch


def test_the_loss_falls_and_answers_survive_the_disk(tmp_path: Path) -> None:
    best = train(recipe(epochs=4), tmp_path / "run", None, None, quiet)
    rows = [json.loads(line) for line in (tmp_path / "run/metrics.jsonl").read_text().splitlines()]
    losses = [row["answer"] for row in rows if "answer" in row]
    # The first steps teach which program is asked for: most of what a few seconds can.
    assert losses[-1] < losses[0]
    assert (tmp_path / "run/curves.png").read_bytes().startswith(b"\x89PNG")
    made = next(iter(make_synthetic(99, 1, names="unseen")))
    first, second = load(best), load(best)
    pieces = [
        TokenizedText.cut(question.text, first.tokenizer) for question in made.passage.questions
    ]
    read = PassageInput.read(made.passage.text, first.tokenizer)
    with torch.inference_mode():
        answers = [
            [
                str(tries[0].answer)
                for tries in answer_candidates(net, net.encoder(pieces, [read] * len(pieces)))
            ]
            for net in (first, second)
        ]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("precision", ["no", "bf16"])
def test_a_stopped_run_ends_in_the_same_weights(tmp_path: Path, precision: str) -> None:
    # Every step is a checkpoint here: zero minutes between them is not allowed, a moment is.
    settings = recipe(checkpoint_minutes=1e-9, precision=precision)
    train(settings, tmp_path / "whole", None, None, quiet)
    for step in (2, 5):
        with pytest.raises(Stopped):
            train(settings, tmp_path / "parts", None, None, stop_at(step))
    train(settings, tmp_path / "parts", None, None, quiet)
    whole = load_file(tmp_path / "whole/checkpoint/state.safetensors")
    parts = load_file(tmp_path / "parts/checkpoint/state.safetensors")
    assert whole.keys() == parts.keys()
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def test_bfloat16_rounds_the_transformer_and_nothing_that_is_kept(tmp_path: Path) -> None:
    ends = []
    for precision in ("no", "bf16"):
        train(recipe(epochs=1, precision=precision), tmp_path / precision, None, None, quiet)
        ends.append(load_file(tmp_path / precision / "checkpoint/state.safetensors"))
    weights = [name for name in ends[0] if name.startswith("weight.")]
    assert any(not torch.equal(ends[0][name], ends[1][name]) for name in weights)
    assert all(ends[1][name].dtype == torch.float for name in weights)
    for name in weights:  # every entry may move by its rate a step, hardly more
        torch.testing.assert_close(ends[0][name], ends[1][name], atol=0.05, rtol=0)


def test_questions_that_take_turns_teach_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = recipe(epochs=0.1, max_grad_norm=1e9)  # one step, its gradient as it is
    alone = settings.encoder.model_copy(update={"dropout": 0.0})
    settings = settings.model_copy(update={"encoder": alone})
    read: dict[str, list[int]] = {"together": [], "in turn": []}
    for name, kept in (("together", fit._KEPT), ("in turn", 1)):
        monkeypatch.setattr(fit, "_KEPT", kept)
        monkeypatch.setattr(fit, "batch_loss", _counting(read[name]))
        train(settings, tmp_path / name, None, None, quiet)
    assert max(read["together"]) == 4 and set(read["in turn"]) == {1}
    whole, parts = (load_file(tmp_path / name / "checkpoint/state.safetensors") for name in read)
    for name in whole:
        if name.startswith("adam.exp_avg."):  # a tenth of the gradient
            torch.testing.assert_close(whole[name], parts[name], atol=1e-5, rtol=1e-3)


def _counting(sizes: list[int]):  # type: ignore[no-untyped-def]
    def counted(model: Model, examples: Sequence[TrainingExample], *rest: Any) -> Loss:
        sizes.append(len(examples))
        return batch_loss(model, examples, *rest)

    return counted


def test_what_was_cached_before_a_stop_changes_nothing(tmp_path: Path) -> None:
    model = save(tiny_network(Recipe.read({"encoder": {"layers": 2}})), tmp_path / "model")
    cached = Recipe.read(
        {
            "encoder": {"source": str(model), "frozen": 1},
            "data": {"synthetic": 4},
            "train": {"epochs": 2, "questions": 4, "groups_per_step": 2, "cache_gb": 1},
        }
    )
    train(cached, tmp_path / "whole", None, None, quiet)
    with pytest.raises(Stopped):  # before any checkpoint: all is done again, from the cache
        train(cached, tmp_path / "parts", None, None, stop_at(3))
    assert list((tmp_path / "parts/cache/activations").iterdir())
    train(cached, tmp_path / "parts", None, None, quiet)
    whole, parts = (
        load_file(tmp_path / name / "checkpoint/state.safetensors") for name in ("whole", "parts")
    )
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def test_an_encoder_from_scratch_needs_words() -> None:
    scratch = {"source": "scratch", "layers": 1, "width": 32}
    with pytest.raises(RecipeError, match="learns its words from the made world"):
        build_model(Recipe.read({"encoder": scratch, "data": {"train": "train.json"}}))
    with pytest.raises(RecipeError, match="nothing yet to be frozen"):
        build_model(Recipe.read({"encoder": scratch | {"frozen": 1}, "data": {"synthetic": 1}}))


def test_a_half_written_checkpoint_is_not_read(tmp_path: Path) -> None:
    settings = recipe(checkpoint_minutes=1e-9)
    with pytest.raises(Stopped):
        train(settings, tmp_path, None, None, stop_at(3))
    # As if killed between the two renames, with the next checkpoint begun.
    (tmp_path / "checkpoint").rename(tmp_path / "checkpoint.old")
    (tmp_path / "checkpoint.new").mkdir()
    (tmp_path / "checkpoint.new/state.safetensors").write_bytes(b"cut")
    train(settings, tmp_path, None, None, quiet)
    progress = json.loads((tmp_path / "checkpoint/progress.json").read_text())
    assert progress["questions"] == 2 * 64


def test_another_recipe_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        train(recipe(), tmp_path, None, None, stop_at(1))
    with pytest.raises(CheckpointError, match="another recipe"):
        train(recipe(seed=5), tmp_path, None, None, quiet)


def test_a_recipe_with_data_says_where_to_give_them(tmp_path: Path) -> None:
    asked = recipe().model_copy(
        update={"data": recipe().data.model_copy(update={"train": "t.json"})}
    )
    with pytest.raises(DataError, match="--data"):
        train(asked, tmp_path, None, None, quiet)
