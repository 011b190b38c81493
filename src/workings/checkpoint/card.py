"""Model cards: the README of a model folder, rendered from its config and measured scores."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from workings.checkpoint.weights_file import WeightsFile
from workings.encoder.bert import BertConfig
from workings.errors import DataError
from workings.files import read_text
from workings.modules import REGISTRY
from workings.score import Report
from workings.settings import Recipe, Settings

SCORES = "scores.json"


class MeasuredScores(Settings):
    """The scores of a model on one set of questions, and its speed."""

    # A later version may have added fields.
    model_config = ConfigDict(frozen=True, extra="ignore")

    weights: str = Field(description="Digest of the weights that answered.")
    report: Report
    seconds: float = Field(ge=0, description="Mean time per question.")
    threads: int = Field(ge=1, description="Number of threads used.")


Scores = dict[str, MeasuredScores]
_SCORES = TypeAdapter(Scores)


def load_scores(folder: Path, weights: str) -> Scores:
    """Load the scores that were measured with the current weights of a model folder.

    Args:
        folder: The model folder.
        weights: Digest of its weights; scores of other weights are left out.

    Returns:
        The scores by name of the questions; empty if the file is missing or unreadable.
    """
    try:
        stored = _SCORES.validate_json(read_text(folder / SCORES))
    except (DataError, ValidationError):
        return {}
    return {name: measured for name, measured in stored.items() if measured.weights == weights}


def render_scores(scores: Scores) -> bytes:
    """Render scores as the file that ``load_scores`` reads."""
    return _SCORES.dump_json(scores, indent=1) + b"\n"


def render_card(
    recipe: Recipe,
    encoder: BertConfig,
    modules: Sequence[str],
    packed: WeightsFile,
    scores: Scores,
) -> str:
    """Render the model card as Markdown.

    Args:
        recipe: The recipe of the model.
        encoder: The transformer's own configuration.
        modules: Names of the trained modules; empty for a peer.
        packed: The weights.
        scores: Measured scores by name of the questions.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("workings.checkpoint", "."),
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    page = templates.get_template("card.md").render(
        recipe=recipe,
        encoder=encoder,
        modules=[(name, REGISTRY[name].sentence()) for name in modules],
        packed=packed,
        scores=scores,
    )
    return page + "\n"
