"""Save and load model folders: config, weights, tokenizer and model card."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from workings.checkpoint.card import (
    SCORES,
    MeasuredScores,
    Scores,
    load_scores,
    render_card,
    render_scores,
)
from workings.checkpoint.config import (
    CARD,
    CONFIG,
    REMAKE,
    TOKENIZER,
    WEIGHTS,
    ModelConfig,
    read_config,
    read_part,
)
from workings.checkpoint.weights_file import WeightsFile, count_values, pack, unpack
from workings.encoder.bert import Bert, BertConfig
from workings.encoder.pretrained import build_encoder, load_tokenizer
from workings.encoder.quantize import preferred_method
from workings.encoder.transformer import Encoder
from workings.errors import CheckpointError, DataError
from workings.files import write_atomically
from workings.modules import REGISTRY
from workings.network.network import Network
from workings.peers import Model, make_model
from workings.score import Report
from workings.settings import EncoderSettings, Recipe

# The names of module weights begin with this.
_MODULES = "interpreter."
# The names of the programmer's weights for the forms of modules begin with this.
_FORMS = "programmer.productions."


def save(
    network: Model, folder: str | Path, *, half: bool = True, temperature: float = 1.0
) -> Path:
    """Write a model folder.

    Every file is written to a temporary name and then renamed. The weights carry their own digest,
    so a folder that is read between two saves of one run is still a complete model.

    Args:
        network: The model to save.
        folder: Where to write; other files in the folder are left alone.
        half: Store weights in half precision where their values fit.
        temperature: The fitted temperature of the answer policy.

    Returns:
        The folder.

    Raises:
        CheckpointError: If the folder cannot be written.
    """
    folder = Path(folder)
    config = _describe(network, temperature)
    packed = pack(network.state_dict(), half=half)
    return _write(
        folder,
        {
            TOKENIZER: network.tokenizer.to_str(pretty=True).encode(),
            WEIGHTS: packed.raw,
            CONFIG: config.to_bytes(),
            CARD: _card(config, packed, load_scores(folder, packed.digest)),
        },
    )


def add_scores(folder: str | Path, name: str, report: Report, *, seconds: float) -> Path:
    """Add measured scores to the card of a model.

    Args:
        folder: The model folder.
        name: The name of the questions, such as "dev"; earlier scores of this name are replaced.
        report: The scores.
        seconds: Mean time per question.

    Returns:
        The folder.
    """
    folder = Path(folder)
    packed = _weights(folder)
    threads = torch.get_num_threads()
    measured = MeasuredScores(
        weights=packed.digest, report=report, seconds=seconds, threads=threads
    )
    scores = load_scores(folder, packed.digest) | {name: measured}
    card = _card(read_config(folder), packed, scores)
    return _write(folder, {SCORES: render_scores(scores), CARD: card})


def load(folder: str | Path, *, recipe: Recipe | None = None, fast: bool = False) -> Network:
    """Load the module network of a model folder, in evaluation mode.

    Args:
        folder: The model folder; no other file is needed.
        recipe: Settings to continue training with. The network then has every module there is,
            not only the modules it was trained with.
        fast: Convert the encoder's layers to bfloat16 or 8-bit integers, whichever is faster here.

    Raises:
        CheckpointError: If the folder is damaged, or holds a model without modules.
    """
    model = load_model(folder, recipe=recipe, fast=fast)
    if not isinstance(model, Network):
        hint = "Score it with `workings evaluate`, or name the folder of a module network."
        raise CheckpointError(
            f"{folder} holds a {model.recipe.model}, which has no steps.", hint=hint
        )
    return model


def load_model(folder: str | Path, *, recipe: Recipe | None = None, fast: bool = False) -> Model:
    """Load the model of a folder: a module network or one of the peers.

    Args:
        folder: The model folder.
        recipe: Settings to continue training with; see ``load``.
        fast: Convert the encoder's layers to bfloat16 or 8-bit integers; such a model is only
            for inference.

    Raises:
        CheckpointError: If the folder is damaged.
    """
    folder = Path(folder)
    config = read_config(folder)
    packed = _weights(folder)
    # Modules newer than the model start from random weights. The seed makes every load the same.
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(config.recipe.train.seed)
        model = _build(folder, config, packed, recipe)
    weights: Mapping[str, Tensor] = packed.weights
    if recipe is not None and recipe.modules != config.recipe.modules:
        weights = _for_other_modules(model, weights)
    newer = _newer_forms(model, weights)
    _fill(model, weights, config)
    if newer and recipe is None and isinstance(model, Network):
        model.programmer.exclude(newer)
    if fast:
        model.encoder.use_fast(preferred_method())
    return model.eval()


def load_model_encoder(folder: Path, settings: EncoderSettings) -> tuple[Encoder, Tokenizer]:
    """Load the encoder of a trained model, to train new modules on it.

    Args:
        folder: The model folder.
        settings: Settings of the encoder to build.

    Returns:
        The encoder and its tokenizer.

    Raises:
        CheckpointError: If the folder is damaged.
    """
    config = read_config(folder)
    packed = _weights(folder)
    prefixes = {"encoder.embeddings.": "embeddings.", "encoder.layers.": "encoder.layer."}
    encoder_weights = {
        name.replace(prefix, bert_prefix): tensor
        for name, tensor in packed.weights.items()
        for prefix, bert_prefix in prefixes.items()
        if name.startswith(prefix)
    }
    with _building(folder):
        tokenizer = load_tokenizer(folder)
        bert = _transformer(config.encoder, packed.weights)
        bert.load_state_dict(_float32(encoder_weights), assign=True)
        return build_encoder(bert, tokenizer, settings), tokenizer


def find_model(folder: str | Path | None = None) -> Path:
    """Return the model folder to use: the one given, or the weights shipped with the package.

    Raises:
        CheckpointError: If no folder is given and the package has no weights.
    """
    return Path(folder) if folder is not None else shipped_model()


def shipped_model() -> Path:
    """Return the folder of the weights that ship with the package.

    Raises:
        CheckpointError: If the package was installed without weights.
    """
    folder = Path(str(files("workings"))) / "weights"
    if not folder.is_dir():
        hint = "Name a model folder, or make one with `workings train`."
        raise CheckpointError("No weights came with this installation.", hint=hint)
    return folder


def _write(folder: Path, contents: Mapping[str, bytes]) -> Path:
    try:
        for name, content in contents.items():
            with write_atomically(folder / name) as file:
                file.write(content)
    except DataError as error:
        hint = "Free some space, or name a folder you may write to."
        raise CheckpointError(error.message, hint=hint) from error
    return folder


def _describe(network: Model, temperature: float) -> ModelConfig:
    layers = len(network.encoder.layers)
    encoder = network.encoder.config.model_copy(update={"num_hidden_layers": layers})
    return ModelConfig(
        recipe=network.recipe,
        modules=tuple(network.modules_trained),
        encoder=encoder,
        temperature=temperature,
    )


def _card(config: ModelConfig, packed: WeightsFile, scores: Scores) -> bytes:
    return render_card(config.recipe, config.encoder, config.modules, packed, scores).encode()


def _weights(folder: Path) -> WeightsFile:
    return unpack(folder / WEIGHTS, read_part(folder / WEIGHTS))


def _build(folder: Path, config: ModelConfig, packed: WeightsFile, recipe: Recipe | None) -> Model:
    """Build the model with newly initialised weights."""
    absent = sorted(set(config.modules) - set(REGISTRY))
    if absent:
        hint = "Load the folder of the module first, with workings.modules.load_folder."
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


def _check_skip(trained: EncoderSettings, requested: EncoderSettings) -> None:
    """Check that the skip connection starts at the layer it was trained for."""
    if trained.layer_skip and requested.layer_skip and trained.skip_layer != requested.skip_layer:
        raise ValueError(
            f"its skip begins at layer {trained.skip_layer}, not at {requested.skip_layer}: "
            f"set encoder.layer_skip_from={trained.skip_layer}"
        )


@contextmanager
def _building(folder: Path) -> Iterator[None]:
    """Turn any error of building an encoder into a CheckpointError."""
    try:
        yield
    except Exception as error:  # a wrong config can raise errors of any type
        message = f"{folder} holds no encoder that can be built: {error}."
        raise CheckpointError(message, hint=REMAKE) from error


def _transformer(config: BertConfig, weights: Mapping[str, Tensor]) -> Bert:
    """Build the transformer of a config without allocating its weights.

    A damaged config may name sizes that its file of weights does not have: refuse it before
    anything of that size is computed.
    """
    if config.num_hidden_layers > len(weights):
        raise ValueError("it has more layers than weights")
    with torch.device("meta"):
        bert = Bert(config)
    if count_values(bert.parameters()) > count_values(weights.values()):
        raise ValueError("it is larger than its weights")
    return bert


def _fill(network: Model, weights: Mapping[str, Tensor], config: ModelConfig) -> None:
    """Copy the weights into the model; only parts that were never trained may be absent."""
    state, newer = network.state_dict(), _newer_forms(network, weights)
    misfits = sorted(
        name
        for name in state.keys() ^ weights.keys()
        if (owner := _owner(name)) is None or owner in config.modules
        if name in weights or name not in _untrained_maps(config.recipe.encoder)
        if name.removeprefix(_FORMS) not in newer
    )
    misfits += [n for n, tensor in weights.items() if n in state and state[n].shape != tensor.shape]
    if misfits:
        message = f"The weights do not fit the config: {', '.join(misfits[:3])}."
        raise CheckpointError(message, hint=REMAKE)
    network.load_state_dict(_float32(weights), strict=False, assign=True)


def _newer_forms(network: Model, weights: Mapping[str, Tensor]) -> set[str]:
    """The forms of trained modules that are newer than the weights, by the keys of the forms.

    A module may gain an optional input after a model was trained with its shorter form.
    """
    forms = {name for name in network.state_dict() if name.startswith(_FORMS)}
    trained = {name.rpartition("/")[0] for name in forms & weights.keys()}
    absent = forms - weights.keys()
    return {name.removeprefix(_FORMS) for name in absent if name.rpartition("/")[0] in trained}


def _for_other_modules(network: Model, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights for a model with other module settings.

    Module weights that only one of the two models has, or that have another shape there, keep the
    initial values of the new model.
    """
    state = network.state_dict()
    initial = {name: tensor for name, tensor in state.items() if name.startswith(_MODULES)}
    trained = {
        name: tensor
        for name, tensor in weights.items()
        if not name.startswith(_MODULES) or (name in state and state[name].shape == tensor.shape)
    }
    return initial | trained


def _float32(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {
        name: tensor.float() if tensor.is_floating_point() else tensor
        for name, tensor in weights.items()
    }


def _untrained_maps(trained: EncoderSettings) -> set[str]:
    """The optional linear maps that a model was trained without; they start at zero."""
    maps = {
        "encoder.layer_skip.weight": trained.layer_skip,
        "encoder.question_embedding_skip.weight": trained.question_embedding_skip,
    }
    return {name for name, was_trained in maps.items() if not was_trained}


def _owner(name: str) -> str | None:
    """The module that alone uses a weight, or None for shared weights."""
    for prefix in ("interpreter.library.", "programmer.productions."):
        if name.startswith(prefix):
            module = name.removeprefix(prefix).split(".")[0].split("/")[0]
            return None if module == "begin" else module
    return None
