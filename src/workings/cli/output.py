"""Prints JSON, and an explanation as text, as JSON or as a web page."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from workings.cli.passage_file import input_file
from workings.files import check_output, write_atomically

if TYPE_CHECKING:
    from workings.explain import Explanation


def print_json(data: Any, *, err: bool = False) -> None:
    """Print data as indented JSON, in time that grows linearly with its size.

    Args:
        data: Anything that ``json.dumps`` accepts.
        err: Print to standard error instead of standard output.
    """
    text = json.dumps(data, indent=2, ensure_ascii=False)
    stream = sys.stderr if err else sys.stdout
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:  # an old terminal, or half of a surrogate pair
        text = json.dumps(data, indent=2)
    typer.echo(text, err=err)


def print_explanation(
    explanation: "Explanation", *, as_json: bool, html: Path | None, steps: bool
) -> None:
    """Print an explanation to standard output.

    Args:
        explanation: The explanation to print.
        as_json: Print JSON instead of text.
        html: Also write a web page to this file.
        steps: Show the words and values of every step.
    """
    if html is not None:
        _write_page(explanation, html)
    if as_json:
        print_json(explanation.to_json())
    else:
        from rich.console import Console

        from workings.explain.terminal import to_renderable

        Console(highlight=False).print(to_renderable(explanation, steps=steps))


def check_page(html: Path | None, passage: Path) -> None:
    """Check that a web page can be written without harm, before any work is done.

    Args:
        html: The file for the page, if any.
        passage: The file of the passage.

    Raises:
        DataError: If the page is not a regular file, or is the passage.
    """
    if html is not None:
        check_output(html, input_file(passage))


def _write_page(explanation: "Explanation", file: Path) -> None:
    from workings.explain.html import to_page

    with write_atomically(file) as page:
        page.write(to_page(explanation, title=explanation.question).encode())
