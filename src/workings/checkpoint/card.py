"""Model cards: the README of a model folder, from its own files and from what was measured."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from workings.checkpoint.weights_file import WeightsFile
from workings.errors import DataError
from workings.files import read_text
from workings.modules import REGISTRY
from workings.score import Report
from workings.settings import Recipe, Settings

SCORES = "scores.json"


class MeasuredScores(Settings):
    """How a model answered some files of questions, and how long it took."""

    # A folder may have been scored by a later version.
    model_config = ConfigDict(frozen=True, extra="ignore")

    weights: str = Field(description="Digest of the weights that answered.")
    report: Report
    seconds: float = Field(ge=0, description="Time a question took.")
    threads: int = Field(ge=1, description="On so many threads.")


Scores = dict[str, MeasuredScores]
_SCORES = TypeAdapter(Scores)


def load_scores(folder: Path, weights: str) -> Scores:
    """What was measured with the very weights that a model folder has now."""
    try:
        kept = _SCORES.validate_json(read_text(folder / SCORES))
    except (DataError, ValidationError):  # none yet, or none that can still be read
        return {}
    return {name: measured for name, measured in kept.items() if measured.weights == weights}


def write_scores(scores: Scores) -> bytes:
    """Scores as the file that ``load_scores`` reads."""
    return _SCORES.dump_json(scores, indent=1) + b"\n"


def render(
    recipe: Recipe,
    encoder: Mapping[str, Any],
    modules: Sequence[str],
    packed: WeightsFile,
    scores: Scores,
) -> str:
    """The card of a model."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("workings.checkpoint", "."), undefined=StrictUndefined, trim_blocks=True
    )
    page = templates.get_template("card.md").render(
        recipe=recipe,
        encoder=encoder,
        modules=[(name, REGISTRY[name].sentence()) for name in modules],
        packed=packed,
        scores=scores,
    )
    return page + "\n"
