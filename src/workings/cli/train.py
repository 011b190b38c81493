"""``workings train``: make a model by a recipe."""

import os
from pathlib import Path
from typing import Annotated

import typer

from workings.cli.progress_bar import progress_bar


def train(
    recipe: Annotated[str, typer.Argument(help="A recipe file, or the name of a shipped one.")],
    out: Annotated[Path, typer.Option(help="Folder of the run; the same command resumes it.")],
    data: Annotated[
        Path | None, typer.Option(envvar="WORKINGS_DATA", help="Folder of the DROP files.")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option(help="Folder for what can be computed once; default OUT/cache.")
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="Override a setting: section.name=value.")
    ] = None,
) -> None:
    """Train a network by a recipe, or go on with a run that was stopped."""
    from workings.settings import Recipe
    from workings.training.trainer import train as fit

    settings = Recipe.load(recipe, set_ or [])
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    with progress_bar() as watch:
        best = fit(settings, out, data, cache, watch)
    typer.echo(f"The best weights are in {best}.")
