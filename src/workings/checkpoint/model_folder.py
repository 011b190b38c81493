"""Model folders: a network as a readable config, safe weights, a tokenizer and a card."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch
from pydantic import Field, ValidationError
from tokenizers import Tokenizer
from torch import Tensor

from workings.checkpoint.card import (
    SCORES,
    MeasuredScores,
    Scores,
    load_scores,
    render,
    write_scores,
)
from workings.checkpoint.weights_file import REMAKE, WeightsFile, count, pack, unpack
from workings.encoder.pretrained import build_encoder, load_tokenizer
from workings.encoder.transformer import Encoder
from workings.errors import CheckpointError, DataError
from workings.files import write_atomically
from workings.modules import REGISTRY
from workings.network.network import Network
from workings.peers import Model, make_model
from workings.score import Report
from workings.settings import EncoderSettings, Recipe, Settings

FORMAT = 1
CONFIG, WEIGHTS, TOKENIZER, CARD = "config.json", "model.safetensors", "tokenizer.json", "README.md"


class Config(Settings):
    """What a model folder says of itself."""

    format: int = FORMAT
    recipe: Recipe
    modules: tuple[str, ...] = Field(description="The modules that were trained.")
    encoder: dict[str, Any] = Field(description="The transformer's own configuration.")
    temperature: float = Field(1.0, gt=0, description="Divides the log-probability of an answer.")


def save(
    network: Model, folder: str | Path, *, half: bool = True, temperature: float = 1.0
) -> Path:
    """Write a model folder.

    Every file is written aside and then renamed. The weights carry their own digest, so a folder
    caught between two saves of one run is still a whole model.
    """
    folder = Path(folder)
    config = _describe(network, temperature)
    packed = pack(network.state_dict(), half=half)
    return _write(
        folder,
        {
            TOKENIZER: network.tokenizer.to_str(pretty=True).encode(),
            WEIGHTS: packed.raw,
            CONFIG: (config.model_dump_json(indent=2) + "\n").encode(),
            CARD: _card(config, packed, load_scores(folder, packed.digest)),
        },
    )


def add_scores(folder: str | Path, name: str, report: Report, *, seconds: float) -> Path:
    """Put on a model's card what it scored on questions of that name, and the time each took."""
    folder = Path(folder)
    packed = _weights(folder)
    threads = torch.get_num_threads()
    measured = MeasuredScores(
        weights=packed.digest, report=report, seconds=seconds, threads=threads
    )
    scores = load_scores(folder, packed.digest) | {name: measured}
    card = _card(read_config(folder), packed, scores)
    return _write(folder, {SCORES: write_scores(scores), CARD: card})


def load(folder: str | Path, *, recipe: Recipe | None = None) -> Network:
    """Build the network of a model folder, ready to answer; needs nothing but the folder.

    With another ``recipe`` it is a network to train on as that says, with every module there is.
    """
    model = load_model(folder, recipe=recipe)
    if not isinstance(model, Network):
        hint = "Score it with `workings evaluate`, or name a model of modules."
        raise CheckpointError(
            f"{folder} holds a {model.recipe.model}, which has no steps.", hint=hint
        )
    return model


def load_model(folder: str | Path, *, recipe: Recipe | None = None) -> Model:
    """Build the model of a folder, whether a network of modules or one of its peers."""
    folder = Path(folder)
    config = read_config(folder)
    packed = _weights(folder)
    # What no file holds (modules newer than the model) must not differ from one load to the next.
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(config.recipe.train.seed)
        model = _build(folder, config, packed, recipe)
    _fill(model, packed.weights, config)
    return model.eval()


def load_model_encoder(folder: Path, settings: EncoderSettings) -> tuple[Encoder, Tokenizer]:
    """The encoder of a trained model, to train other modules on."""
    config = read_config(folder)
    packed = _weights(folder)
    places = {"encoder.embeddings.": "embeddings.", "encoder.layers.": "encoder.layer."}
    own = {
        name.replace(ours, theirs): tensor
        for name, tensor in packed.weights.items()
        for ours, theirs in places.items()
        if name.startswith(ours)
    }
    with _building(folder):
        tokenizer = load_tokenizer(folder)
        bert = _transformer(config.encoder, packed.weights)
        bert.load_state_dict(own)
        return build_encoder(bert, tokenizer, settings), tokenizer


def shipped_model() -> Path:
    """The folder of the weights that came with the package."""
    folder = Path(str(files("workings"))) / "weights"
    if not folder.is_dir():
        hint = "Name a model folder, or make one with `workings train`."
        raise CheckpointError("No weights came with this installation.", hint=hint)
    return folder


def is_model(folder: Path) -> bool:
    """Whether a folder holds a model of ours, and not an encoder alone."""
    try:
        return "recipe" in json.loads((folder / CONFIG).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False


def read_config(folder: str | Path) -> Config:
    """A model folder's description, checked."""
    path = Path(folder) / CONFIG
    try:
        tree = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is not valid JSON: {error}.", hint=REMAKE) from error
    if not isinstance(tree, dict) or "recipe" not in tree or "modules" not in tree:
        hint = "Name a folder written by `workings train` or Reader.save_pretrained."
        raise CheckpointError(f"{path} does not describe a model of workings.", hint=hint)
    if isinstance(tree.get("format"), int) and tree["format"] > FORMAT:
        hint = "Install a newer version of workings."
        raise CheckpointError(f"{path} is of the newer format {tree['format']}.", hint=hint)
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        newer = first["type"] == "extra_forbidden"
        hint = "Install the version of workings that wrote it, or a newer one." if newer else REMAKE
        message = f"{path}: setting {place}: {first['msg']}."
        raise CheckpointError(message, hint=hint) from error


def _write(folder: Path, made: Mapping[str, bytes]) -> Path:
    try:
        for name, content in made.items():
            with write_atomically(folder / name) as file:
                file.write(content)
    except DataError as error:
        hint = "Free some space, or name a folder you may write to."
        raise CheckpointError(error.message, hint=hint) from error
    return folder


def _describe(network: Model, temperature: float) -> Config:
    encoder = network.encoder.config.to_diff_dict()
    encoder["num_hidden_layers"] = len(network.encoder.layers)
    return Config(
        recipe=network.recipe,
        modules=tuple(network.modules_trained),
        encoder=encoder,
        temperature=temperature,
    )


def _card(config: Config, packed: WeightsFile, scores: Scores) -> bytes:
    return render(config.recipe, config.encoder, config.modules, packed, scores).encode()


def _weights(folder: Path) -> WeightsFile:
    return unpack(folder / WEIGHTS, _read(folder / WEIGHTS))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        hint = f"A model folder holds {CONFIG}, {WEIGHTS} and {TOKENIZER}: name one."
        raise CheckpointError(f"{path}: {error.strerror}.", hint=hint) from error


def _build(folder: Path, config: Config, packed: WeightsFile, recipe: Recipe | None) -> Model:
    """The model with new_parameters weights."""
    absent = sorted(set(config.modules) - set(REGISTRY))
    if absent:
        hint = "Load its folder first, with workings.modules.load_folder."
        raise CheckpointError(f"The model uses a module {absent[0]!r}, unknown here.", hint=hint)
    with _building(folder):
        tokenizer = load_tokenizer(folder)
        bert = _transformer(config.encoder, packed.weights)
        settings = (recipe or config.recipe).encoder
        _check_skip(config.recipe.encoder, settings)
        encoder = build_encoder(bert, tokenizer, settings)
    if recipe is not None:
        return make_model(recipe, encoder, tokenizer)
    return make_model(config.recipe, encoder, tokenizer, config.modules)


def _check_skip(trained: EncoderSettings, wanted: EncoderSettings) -> None:
    """What was learned to be added to the last layer must still come from the same one."""
    if trained.layer_skip and wanted.layer_skip and trained.skip_layer != wanted.skip_layer:
        raise ValueError(
            f"its skip begins at layer {trained.skip_layer}, not at {wanted.skip_layer}: "
            f"set encoder.layer_skip_from={trained.skip_layer}"
        )


@contextmanager
def _building(folder: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # a config can be wrong in more ways than its reader has errors
        message = f"{folder} holds no encoder that can be built: {error}."
        raise CheckpointError(message, hint=REMAKE) from error


def _transformer(described: dict[str, Any], weights: Mapping[str, Tensor]) -> Any:
    """A new_parameters transformer, once it is known to be no larger than the weights that will fill it."""
    from transformers import AutoConfig, AutoModel

    shape = AutoConfig.for_model(**described)
    if shape.num_hidden_layers > len(weights):
        raise ValueError("it has more layers than weights")
    with torch.device("meta"):
        sketch = AutoModel.from_config(shape, add_pooling_layer=False)  # type: ignore[no-untyped-call]
    if count(sketch.parameters()) > count(weights.values()):
        raise ValueError("it is larger than its weights")
    return AutoModel.from_config(shape, add_pooling_layer=False)  # type: ignore[no-untyped-call]


def _fill(network: Model, weights: Mapping[str, Tensor], config: Config) -> None:
    """Copy the weights in; only parts that were never trained may lack theirs."""
    known = network.state_dict()
    odd = sorted(
        name
        for name in known.keys() ^ weights.keys()
        if (owner := _owner(name)) is None or owner in config.modules
        if name in weights or name not in _begun(config.recipe.encoder)
    )
    odd += [n for n, tensor in weights.items() if n in known and known[n].shape != tensor.shape]
    if odd:
        message = f"The weights do not fit the config: {', '.join(odd[:3])}."
        raise CheckpointError(message, hint=REMAKE)
    network.load_state_dict(weights, strict=False)


def _begun(trained: EncoderSettings) -> set[str]:
    """Maps that were not trained yet, and begin as zero: a model goes on with them unharmed."""
    maps = {
        "encoder.layer_skip.weight": trained.layer_skip,
        "encoder.question_embedding_skip.weight": trained.question_embedding_skip,
    }
    return {name for name, was_trained in maps.items() if not was_trained}


def _owner(name: str) -> str | None:
    """The module that a weight belongs to, if it belongs to one alone."""
    for prefix in ("interpreter.library.", "programmer.productions."):
        if name.startswith(prefix):
            module = name.removeprefix(prefix).split(".")[0].split("/")[0]
            return None if module == "begin" else module
    return None
