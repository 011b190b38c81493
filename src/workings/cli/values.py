"""``workings values``: list the numbers, dates, times and durations of a text."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from workings.cli.output import print_json
from workings.cli.passage_file import read_passage

if TYPE_CHECKING:
    from workings.values import Values


class _MentionRow(NamedTuple):
    """One mention of a value."""

    kind: str
    value: str
    start: int
    end: int


def values(
    file: Annotated[
        Path,
        typer.Argument(
            help="Text, HTML or PDF file; - for text from standard input.", allow_dash=True
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print the values as JSON.")] = False,
) -> None:
    """List the numbers, dates, times and durations of a text."""
    from rich.console import Console

    from workings.values import read_values

    text = read_passage(file)
    found = read_values(text)
    if json:
        print_json(_to_json(text, found))
    else:
        _print_table(Console(), text, sorted(_rows(found), key=lambda row: (row.start, row.end)))


def _rows(values: "Values") -> Iterator[_MentionRow]:
    from workings.values import format_number

    for number in values.numbers:
        kind = "number" if number.unit == "plain" else number.unit
        yield _MentionRow(kind, format_number(number.value), number.start, number.end)
    for mention in values.dates:
        yield _MentionRow("date", str(mention.date), mention.start, mention.end)
    for time in values.times:
        yield _MentionRow("time", str(time.time), time.start, time.end)
    for duration in values.durations:
        yield _MentionRow("duration", str(duration), duration.start, duration.end)


def _print_table(console: Any, text: str, rows: list[_MentionRow]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table("kind", box=SIMPLE_HEAD)
    table.add_column("value", justify="right")
    table.add_column("position", justify="right")
    table.add_column("text")
    for row in rows:
        words = " ".join(text[row.start : row.end].split())
        table.add_row(row.kind, row.value, f"{row.start}-{row.end}", Text(words))
    console.print(table if rows else "No values found.")


def _to_json(text: str, values: "Values") -> dict[str, list[dict[str, Any]]]:
    """Return exact strings for numbers and seconds ("3.2", "2/3"), and dates by known parts."""
    from workings.values import format_exact

    numbers = [
        {"value": format_exact(number.value), "unit": number.unit}
        | _position(text, number.start, number.end)
        for number in values.numbers
    ]
    dates = [
        asdict(mention.date) | _position(text, mention.start, mention.end)
        for mention in values.dates
    ]
    times = [
        asdict(mention.time)
        | {"seconds": mention.time.seconds}
        | _position(text, mention.start, mention.end)
        for mention in values.times
    ]
    durations = [
        {"seconds": format_exact(duration.seconds)} | _position(text, duration.start, duration.end)
        for duration in values.durations
    ]
    return {"numbers": numbers, "dates": dates, "times": times, "durations": durations}


def _position(text: str, start: int, end: int) -> dict[str, Any]:
    return {"start": start, "end": end, "text": text[start:end]}
