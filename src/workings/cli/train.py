"""``workings train``: train a model from a recipe."""

import os
from pathlib import Path
from typing import Annotated

import typer

from workings.cli.progress_bar import progress_bar


def train(
    recipe: Annotated[
        str, typer.Argument(help="Recipe file, or the name of a shipped recipe such as default.")
    ],
    out: Annotated[Path, typer.Option(help="Folder of the run.")],
    data: Annotated[
        Path | None, typer.Option(envvar="WORKINGS_DATA", help="Folder with the data files.")
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            help="Folder for cached derivations and activations.", show_default="OUT/cache"
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Override a setting: section.name=value. Repeatable."),
    ] = None,
) -> None:
    """Train a model from a recipe.

    The same command resumes an interrupted run.
    """
    from workings.settings import Recipe
    from workings.training.trainer import train as train_model

    settings = Recipe.load(recipe, set_ or [])
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    with progress_bar() as progress:
        best = train_model(settings, out, data, cache, progress)
    typer.echo(f"Best weights: {best}")
