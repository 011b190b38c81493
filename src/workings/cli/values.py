"""``workings values``: every number and date of a text, with its place."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from workings.cli.read_passage import read_text

if TYPE_CHECKING:
    from workings.values import Values


class _Row(NamedTuple):
    """One mention, as people and machines are shown it."""

    what: str
    value: str
    start: int
    end: int


def values(
    file: Path = typer.Argument(help="A text file, or - for standard input.", allow_dash=True),
    json: bool = typer.Option(False, "--json", help="Print the values as JSON."),
) -> None:
    """Show the numbers and dates of a text."""
    from rich.console import Console

    from workings.values import read_values

    text = read_text(file)
    found = read_values(text)
    console = Console()
    if json:
        console.print_json(data=_to_json(text, found))
    else:
        _show(console, text, sorted(_rows(found), key=lambda row: (row.start, row.end)))


def _rows(values: "Values") -> Iterator[_Row]:
    from workings.values import format_number

    for number in values.numbers:
        what = "number" if number.unit == "plain" else number.unit
        yield _Row(what, format_number(number.value), number.start, number.end)
    for mention in values.dates:
        yield _Row("date", str(mention.date), mention.start, mention.end)


def _show(console: Any, text: str, rows: list[_Row]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table("what", box=SIMPLE_HEAD)
    table.add_column("value", justify="right")
    table.add_column("where", justify="right")
    table.add_column("words")
    for row in rows:
        words = " ".join(text[row.start : row.end].split())
        table.add_row(row.what, row.value, f"{row.start}-{row.end}", Text(words))
    console.print(table if rows else "No number and no date was found.")


def _to_json(text: str, values: "Values") -> dict[str, list[dict[str, Any]]]:
    """Numbers as exact strings ("3.2", "2/3"), dates by their known parts."""
    from workings.values import format_exact

    numbers = [
        {"value": format_exact(number.value), "unit": number.unit}
        | _place(text, number.start, number.end)
        for number in values.numbers
    ]
    dates = [asdict(found.date) | _place(text, found.start, found.end) for found in values.dates]
    return {"numbers": numbers, "dates": dates}


def _place(text: str, start: int, end: int) -> dict[str, Any]:
    return {"start": start, "end": end, "text": text[start:end]}
