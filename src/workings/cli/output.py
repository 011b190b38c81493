"""Prints an explanation, as a tree or as JSON, and writes it as a web page."""

from pathlib import Path
from typing import TYPE_CHECKING

from workings.errors import InputError

if TYPE_CHECKING:
    from workings.explain import Explanation


def print_explanation(explanation: "Explanation", *, json: bool, html: Path | None) -> None:
    """Print an explanation to standard output.

    Args:
        explanation: The explanation to print.
        json: Print JSON instead of a tree of steps.
        html: Also write a web page to this file.
    """
    from rich.console import Console

    from workings.explain.terminal import to_renderable

    if html is not None:
        _write_page(explanation, html)
    console = Console(highlight=False)
    if json:
        console.print_json(data=explanation.to_json())
    else:
        console.print(to_renderable(explanation))


def _write_page(explanation: "Explanation", file: Path) -> None:
    from workings.explain.html import to_page

    try:
        file.write_text(to_page(explanation, title=explanation.question), encoding="utf-8")
    except OSError as error:
        hint = "Choose a file in an existing folder that you can write to."
        raise InputError(f"{file}: {error.strerror}", hint=hint) from error
