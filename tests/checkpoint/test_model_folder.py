"""Tests of saving and loading model folders."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from tiny import PASSAGE, QUESTION, one_layer_network, tiny_network
from workings.checkpoint.config import is_model, load_policy, read_config, set_policy
from workings.checkpoint.model_folder import load, load_model_encoder, save
from workings.checkpoint.weights_file import pack, unpack
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import CheckpointError
from workings.inference.ranking import AnswerPolicy, answer_candidates
from workings.modules import REGISTRY, Context, Module
from workings.network.network import Network
from workings.ops.results import Numbers
from workings.reader import Reader
from workings.settings import EncoderSettings, Recipe
from workings.training.trainer import build_model


@pytest.fixture(scope="module")
def network() -> Network:
    return one_layer_network()


@pytest.fixture
def folder(network: Network, tmp_path: Path) -> Path:
    return save(network, tmp_path / "model")


@pytest.fixture
def triple() -> Iterator[type[Module]]:
    """A module that is newer than all models."""

    class Triple(Module, name="triple"):
        """Three times a number."""

        example = "How much is three times as much?"

        def __init__(self, width: int, settings: object) -> None:
            super().__init__(width, settings)  # type: ignore[arg-type]
            self.scale = torch.nn.Parameter(torch.rand(width))

        def forward(self, _: Context, one: Numbers) -> Numbers:
            return one

    yield Triple
    del REGISTRY["triple"]


def programs(network: Network) -> list[tuple[str, float, str]]:
    question = TokenizedText.tokenize(QUESTION, network.tokenizer)
    passage = PassageInput.from_text(PASSAGE, network.tokenizer)
    with torch.inference_mode():
        candidates = answer_candidates(network, network.encoder([question], [passage]))[0]
    return [(str(c.scored.program), c.program_probability, str(c.answer)) for c in candidates]


def test_full_precision_is_restored_exactly(network: Network, tmp_path: Path) -> None:
    again = load(save(network, tmp_path / "model", half=False))
    states = network.state_dict(), again.state_dict()
    assert states[0].keys() == states[1].keys()
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])
    assert programs(again) == programs(network)
    assert again.recipe == network.recipe
    assert not again.training


def test_half_precision_is_close_and_stable(network: Network, folder: Path, tmp_path: Path) -> None:
    first = load(folder)
    second = load(save(first, tmp_path / "again"))
    assert programs(first) == programs(second)
    for before, after in zip(programs(network), programs(first), strict=True):
        assert after[1] == pytest.approx(before[1], rel=1e-2)
    small, large = folder / "model.safetensors", save(network, tmp_path / "full", half=False)
    assert small.stat().st_size < 0.6 * (large / "model.safetensors").stat().st_size


def test_values_too_large_for_half_precision(tmp_path: Path) -> None:
    network = tiny_network()
    with torch.no_grad():
        network.interpreter.groundings.constants[0, 0] = 1e6
    again = load(save(network, tmp_path / "model"))
    assert again.interpreter.groundings.constants[0, 0] == 1e6


def test_shared_weights_are_restored(tmp_path: Path) -> None:
    network = tiny_network()
    library = network.interpreter.library
    library["relocate"].similarity = library["find"].similarity
    again = load(save(network, tmp_path / "model", half=False)).state_dict()
    for name in ("find", "relocate"):
        key = f"interpreter.library.{name}.similarity.project.weight"
        assert torch.equal(again[key], network.state_dict()[key])


def test_save_replaces_only_its_own_files(network: Network, folder: Path) -> None:
    (folder / "metrics.jsonl").write_text("{}\n")
    save(network, folder, temperature=1.5)
    assert read_config(folder).temperature == 1.5
    names = sorted(path.name for path in folder.iterdir())
    assert names == [
        "README.md", "config.json", "metrics.jsonl", "model.safetensors", "tokenizer.json"
    ]  # fmt: skip


def test_skip_must_start_at_the_trained_layer(tmp_path: Path) -> None:
    trained = {"layers": 2, "layer_skip": True, "frozen": 1}
    folder = save(tiny_network(Recipe.read({"encoder": trained})), tmp_path)
    for same in ({"frozen": 1}, {"frozen": 0, "split": 1}):
        load(folder, recipe=Recipe.read({"encoder": trained | same}))
    with pytest.raises(CheckpointError, match="skip begins at layer 1, not at 0"):
        load(folder, recipe=Recipe.read({"encoder": trained | {"frozen": 0}}))
    thawed = load(
        folder, recipe=Recipe.read({"encoder": trained | {"frozen": 0, "layer_skip_from": 1}})
    )
    assert programs(thawed) == programs(load(folder))


def test_new_skip_connections_start_at_zero(tmp_path: Path) -> None:
    trained = tiny_network(Recipe.read({"encoder": {"layers": 2, "frozen": 2}}))
    folder = save(trained, tmp_path, half=False)
    more = {"layers": 2, "frozen": 1, "layer_skip": True, "question_embedding_skip": True}
    grown = load(folder, recipe=Recipe.read({"encoder": more}))
    assert programs(grown) == programs(load(folder))


def test_rejects_missing_weights_of_a_trained_skip(tmp_path: Path) -> None:
    folder = save(tiny_network(), tmp_path)
    edit_config(folder, lambda tree: tree["recipe"]["encoder"].update(layer_skip=True))
    with pytest.raises(CheckpointError, match=r"encoder\.layer_skip\.weight"):
        load(folder)


def truncate_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-7])


def flip_bit(folder: Path) -> None:
    raw = bytearray((folder / "model.safetensors").read_bytes())
    raw[-3] ^= 1
    (folder / "model.safetensors").write_bytes(raw)


def foreign_weights(folder: Path) -> None:
    from safetensors.torch import save_file

    save_file({"weight": torch.zeros(2)}, folder / "model.safetensors")


def edit_config(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    tree = json.loads((folder / "config.json").read_text())
    change(tree)
    (folder / "config.json").write_text(json.dumps(tree))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "config.json").unlink(), "No such file"),
        (lambda f: (f / "model.safetensors").unlink(), "No such file"),
        (lambda f: (f / "tokenizer.json").unlink(), "tokenizer"),
        (lambda f: (f / "tokenizer.json").write_text("{}"), "tokenizer"),
        (lambda f: (f / "config.json").write_text("{"), "not valid JSON"),
        (lambda f: (f / "config.json").write_text('{"model_type": "bert"}'), "not describe"),
        (lambda f: (f / "model.safetensors").write_bytes(b""), "damaged"),
        (lambda f: (f / "model.safetensors").write_bytes(b"\x80\x04pickle"), "damaged"),
        (truncate_weights, "damaged"),
        (flip_bit, "digest differs"),
        (foreign_weights, "not written by workings"),
        (lambda f: edit_config(f, lambda t: t.update(format=99)), "newer format 99"),
        (lambda f: edit_config(f, lambda t: t.update(modules=["bake"])), "'bake', unknown"),
        (lambda f: edit_config(f, lambda t: t["encoder"].update(hidden_size=64)), "do not fit"),
        (lambda f: edit_config(f, lambda t: t["encoder"].update(model_type="t5")), "model_type"),
        (lambda f: edit_config(f, lambda t: t["recipe"].update(modulse={})), "recipe.modulse"),
        (
            lambda f: edit_config(
                f, lambda t: t["recipe"]["modules"].update(span="attention-only")
            ),
            "fit",
        ),
    ],
)
def test_rejects_damaged_folder(
    folder: Path, damage: Callable[[Path], object], message: str
) -> None:
    damage(folder)
    with pytest.raises(CheckpointError, match=message) as caught:
        load(folder)
    assert caught.value.hint


def test_rejects_folder_that_cannot_be_written(network: Network, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CheckpointError, match="Free some space"):
        save(network, tmp_path / "file" / "model")


def test_old_model_loads_with_a_new_module(folder: Path, triple: type[Module]) -> None:
    old = load(folder)
    assert triple.name not in old.modules_trained
    assert all(triple.name not in program for program, _, _ in programs(old))
    explanation = Reader(old).run("triple(find-num(find))", QUESTION, PASSAGE)
    assert explanation.steps[-1].sentence == triple.sentence()
    assert explanation.answer.value == explanation.answer.texts[0]
    name = "interpreter.library.triple.scale"
    assert torch.equal(old.state_dict()[name], load(folder).state_dict()[name])


def test_model_loads_without_a_module_it_was_not_trained_with(
    folder: Path, tmp_path: Path, triple: type[Module]
) -> None:
    grown = save(load(folder), tmp_path / "grown")
    del REGISTRY["triple"]
    assert programs(load(grown)) == programs(load(folder))
    REGISTRY["triple"] = triple


def test_continued_training_has_every_module(folder: Path, triple: type[Module]) -> None:
    recipe = Recipe.read({"name": "next", "encoder": {"layers": 1, "frozen": 1}})
    network = load(folder, recipe=recipe)
    assert network.recipe == recipe
    assert triple.name in network.modules_trained
    frozen = network.encoder.layers[0].parameters()
    assert not any(weight.requires_grad for weight in frozen)
    old, new = load(folder).state_dict(), network.state_dict()
    assert all(torch.equal(old[name], new[name]) for name in old)


def test_form_newer_than_the_weights_is_never_written(folder: Path) -> None:
    """A module that gained an optional input still loads; only its old form is written."""
    path = folder / "model.safetensors"
    kept = {
        name: tensor
        for name, tensor in unpack(path, path.read_bytes()).weights.items()
        if name != "programmer.productions.find-max-num/2"
    }
    path.write_bytes(pack(kept, half=False).raw)
    network = load(folder)
    forms = zip(network.grammar.signatures, network.programmer.usable, strict=True)
    assert [form.key for form, usable in forms if not usable] == ["find-max-num/2"]
    recipe = Recipe.read({"name": "next", "encoder": {"layers": 1}})
    assert all(load(folder, recipe=recipe).programmer.usable)


def test_continued_training_with_other_module_settings(folder: Path) -> None:
    modules = {"grounding": "local", "gated": True, "pooled_words": "passage", "filter": "none"}
    recipe = Recipe.read({"name": "next", "encoder": {"layers": 1}, "modules": modules})
    network = load(folder, recipe=recipe)
    assert network.recipe.modules == recipe.modules
    old, new = load(folder).state_dict(), network.state_dict()
    kept = {name for name in old if name in new and old[name].shape == new[name].shape}
    assert all(torch.equal(old[name], new[name]) for name in kept)
    # Weights of the other settings are gone, and those of the new ones have their initial values.
    assert not kept & {"interpreter.groundings.number.projection.weight"}
    assert new["interpreter.library.count.membership.gate"].item() == 1.5
    assert "interpreter.library.count.membership.projection.weight" in kept
    assert all(name in kept for name in new if not name.startswith("interpreter."))


def test_other_module_settings_still_need_the_encoder(folder: Path) -> None:
    weights = unpack(folder / "model.safetensors", (folder / "model.safetensors").read_bytes())
    fewer = {n: t for n, t in weights.weights.items() if "layers.0" not in n}
    (folder / "model.safetensors").write_bytes(pack(fewer, half=False).raw)
    recipe = Recipe.read({"name": "next", "encoder": {"layers": 1}, "modules": {"gated": True}})
    with pytest.raises(CheckpointError):
        load(folder, recipe=recipe)


@torch.no_grad()
def test_new_modules_on_the_encoder_of_a_model(network: Network, folder: Path) -> None:
    recipe = Recipe.read({"name": "other", "encoder": {"source": str(folder), "frozen": 1}})
    other = build_model(recipe).eval()
    tokenizer = network.tokenizer
    questions = [TokenizedText.tokenize(QUESTION, tokenizer)]
    passages = [PassageInput.from_text(PASSAGE, tokenizer)]
    loaded = other.encoder(questions, passages).passage
    expected = network.encoder(questions, passages).passage
    torch.testing.assert_close(loaded, expected, atol=5e-3, rtol=5e-3)  # saved in half precision
    assert not any(weight.requires_grad for weight in other.encoder.layers.parameters())


def test_training_may_start_from_the_shipped_weights(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workings.training.trainer.shipped_model", lambda: folder)
    started = build_model(Recipe.read({"name": "next", "start": "shipped"})).state_dict()
    shipped = load(folder).state_dict()
    assert all(torch.equal(started[name], shipped[name]) for name in shipped)


def test_rejects_encoder_of_a_damaged_model(folder: Path) -> None:
    settings = EncoderSettings(source=str(folder))
    tree = json.loads((folder / "config.json").read_text())
    tree["encoder"]["hidden_size"] = 16
    (folder / "config.json").write_text(json.dumps(tree))
    with pytest.raises(CheckpointError, match="no encoder that can be built"):
        load_model_encoder(folder, settings)


def test_is_model(tmp_path: Path, folder: Path) -> None:
    assert is_model(folder)
    assert not is_model(tmp_path / "nowhere")
    (tmp_path / "config.json").write_text('{"hidden_size": 32}')
    assert not is_model(tmp_path)


def test_policy_has_the_temperature_of_the_folder(folder: Path) -> None:
    assert load_policy(folder) == AnswerPolicy(temperature=1.0)
    set_policy(folder, temperature=1.5, threshold=0)
    policy = load_policy(folder, top_k=5, threshold=0.25)
    assert policy == AnswerPolicy(top_k=5, threshold=0.25, temperature=1.5)
    with pytest.raises(CheckpointError, match="No such file"):
        load_policy(folder / "nowhere")
