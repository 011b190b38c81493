"""The command line: one file per command, registered here."""

import errno
import os
import sys
import warnings
from typing import Annotated, Any

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

_TRAINING_COMMANDS = {"train", "reproduce"}


class _Group(TyperGroup):
    """Group of commands that prints an error as its message and hint, without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always", DataWarning)
                warnings.showwarning = _print_warning
                return super().invoke(ctx)
        except WorkingsError as error:
            _print_error(error.message, error.hint)
            raise typer.Exit(1) from error
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            # Files have errors of their own; only standard output is written without a check.
            _print_error("Standard output: no space left on device", "Free space and try again.")
            raise typer.Exit(1) from error


def _print_error(message: str, hint: str) -> None:
    typer.secho(_printable(message), fg="red", err=True)
    typer.secho(_printable(hint), err=True)


def _print_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    typer.secho(_printable(str(message)), fg="yellow", err=True)


def _printable(text: str) -> str:
    """Escape control characters: messages quote files, which must not control the terminal."""
    return "".join(
        char if char.isprintable() or char == "\n" else repr(char)[1:-1] for char in text
    )


# Help is plain text: rich would double the time that `workings --help` takes.
app = typer.Typer(
    cls=_Group,
    help="Answers questions that need arithmetic over a paragraph, and shows its workings.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

data_app = typer.Typer(
    help="Download and prepare the DROP dataset.", no_args_is_help=True, rich_markup_mode=None
)

app.add_typer(data_app, name="data")
data_app.command()(data.download)
data_app.command()(data.build)
data_app.command()(data_coverage.coverage)
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
def _version(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed_version

        typer.echo(f"workings {installed_version('workings')}")
        raise typer.Exit


def main() -> None:
    """Run the command line."""
    # Torch reads this when it is imported. Its threads would otherwise wait in a busy loop, which
    # makes an answer several times slower while other programs use the processor. Training keeps
    # the default: it should have the processor to itself.
    if not _TRAINING_COMMANDS.intersection(sys.argv[1:2]):
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    app(prog_name="workings")
