"""The ``config.json`` of a model folder: recipe, modules, encoder and fitted temperature."""

import json
from pathlib import Path

from pydantic import Field, ValidationError

from workings.encoder.bert import BertConfig
from workings.errors import CheckpointError
from workings.files import write_atomically
from workings.inference.ranking import AnswerPolicy
from workings.settings import Recipe, Settings

FORMAT = 1
CONFIG, WEIGHTS, TOKENIZER, CARD = "config.json", "model.safetensors", "tokenizer.json", "README.md"
REMAKE = "Copy the whole folder again, or train the model again."


class ModelConfig(Settings):
    """The contents of ``config.json``."""

    format: int = FORMAT
    recipe: Recipe
    modules: tuple[str, ...] = Field(description="The modules that were trained.")
    encoder: BertConfig = Field(description="The transformer's own configuration.")
    temperature: float = Field(1.0, gt=0, description="Divides the log-probability of an answer.")
    threshold: float = Field(
        0.0, ge=0, le=1, description="Minimum confidence of an answer, unless another is requested."
    )

    def to_bytes(self) -> bytes:
        """Render the config as the bytes of its file."""
        return (self.model_dump_json(indent=2) + "\n").encode()


def read_config(folder: str | Path) -> ModelConfig:
    """Read and check the config of a model folder.

    Raises:
        CheckpointError: If the file is missing, damaged, of a newer format or of another program.
    """
    path = Path(folder) / CONFIG
    try:
        tree = json.loads(read_part(path))
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is not valid JSON: {error}.", hint=REMAKE) from error
    if not isinstance(tree, dict) or "recipe" not in tree or "modules" not in tree:
        hint = "Name a folder written by `workings train` or Reader.save_pretrained."
        raise CheckpointError(f"{path} does not describe a model of workings.", hint=hint)
    if isinstance(tree.get("format"), int) and tree["format"] > FORMAT:
        hint = "Install a newer version of workings."
        raise CheckpointError(f"{path} is of the newer format {tree['format']}.", hint=hint)
    try:
        return ModelConfig.model_validate(tree)
    except ValidationError as error:
        first = error.errors()[0]
        setting = ".".join(map(str, first["loc"]))
        newer = first["type"] == "extra_forbidden"
        hint = "Install the version of workings that wrote it, or a newer one." if newer else REMAKE
        message = f"{path}: setting {setting}: {first['msg']}."
        raise CheckpointError(message, hint=hint) from error


def load_policy(
    folder: str | Path, *, top_k: int = 3, threshold: float | None = None
) -> AnswerPolicy:
    """Make the answer policy of a model folder, with the temperature fitted for its weights.

    Args:
        folder: The model folder.
        top_k: Number of programs to report, the best one included.
        threshold: Minimum confidence; below it no answer is given. By default the one that was
            fitted for the weights.

    Raises:
        CheckpointError: If the folder has no valid config.
        InputError: If ``top_k`` or ``threshold`` is out of range.
    """
    config = read_config(folder)
    minimum = config.threshold if threshold is None else threshold
    return AnswerPolicy(top_k, minimum, config.temperature)


def set_policy(folder: str | Path, *, temperature: float, threshold: float) -> None:
    """Write a fitted temperature and threshold into the config of a model folder.

    The file is replaced in one step: after a crash it is the old config or the new one.

    Raises:
        CheckpointError: If the folder has no valid config.
        DataError: If the config cannot be written.
    """
    fitted = {"temperature": temperature, "threshold": threshold}
    config = read_config(folder).model_copy(update=fitted)
    with write_atomically(Path(folder) / CONFIG) as file:
        file.write(config.to_bytes())


def is_model(folder: Path) -> bool:
    """Whether a folder holds a model of workings, and not just a pretrained encoder."""
    try:
        return "recipe" in json.loads((folder / CONFIG).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False


def read_part(path: Path) -> bytes:
    """Read one file of a model folder.

    Raises:
        CheckpointError: If the file cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        hint = f"Name a model folder; it holds {CONFIG}, {WEIGHTS} and {TOKENIZER}."
        raise CheckpointError(f"{path}: {error.strerror}.", hint=hint) from error
