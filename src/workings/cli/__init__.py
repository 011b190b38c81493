"""The command line: one thin file per command, each registered here with one line."""

import warnings
from typing import Any

import typer
from typer.core import TyperGroup

from workings.cli import (
    analyse,
    answer,
    ask,
    calibrate,
    data,
    data_coverage,
    evaluate,
    modules,
    reproduce,
    run,
    scoring,
    serve,
    synthetic,
    tables,
    train,
    values,
)
from workings.errors import DataWarning, WorkingsError


class _Group(TyperGroup):
    """Commands whose faults are shown as one red message with its hint, never a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always", DataWarning)
                warnings.showwarning = _warn
                return super().invoke(ctx)
        except WorkingsError as error:
            typer.secho(_plain(error.message), fg="red", err=True)
            typer.secho(_plain(error.hint), err=True)
            raise typer.Exit(1) from error


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    typer.secho(_plain(str(message)), fg="yellow", err=True)


def _plain(text: str) -> str:
    """What files say of themselves must not steer the terminal it is shown in."""
    return "".join(
        mark if mark.isprintable() or mark == "\n" else repr(mark)[1:-1] for mark in text
    )


# Plain help: drawing it with rich would double the time `workings --help` takes.
app = typer.Typer(
    cls=_Group,
    help="Answers questions that need arithmetic over a paragraph, and shows its workings.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

drop = typer.Typer(help="Fetch and build DROP.", no_args_is_help=True, rich_markup_mode=None)

app.add_typer(drop, name="data")
drop.command()(data.download)
drop.command()(data.build)
drop.command()(data_coverage.coverage)
app.command()(ask.ask)
app.command()(run.run)
app.command()(answer.answer)
app.command()(serve.serve)
app.command()(modules.modules)
app.command()(values.values)
app.command()(scoring.score)
app.command()(evaluate.evaluate)
app.command()(calibrate.calibrate)
app.command()(analyse.analyse)
app.command()(train.train)
app.command()(reproduce.reproduce)
app.command()(tables.tables)
app.command()(synthetic.synthetic)


@app.callback(invoke_without_command=True)
def _version(version: bool = typer.Option(False, "--version", help="Show the version.")) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"workings {installed('workings')}")
        raise typer.Exit


def main() -> None:
    """Run the command line."""
    app(prog_name="workings")
