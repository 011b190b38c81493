"""``workings tables``: print the paper's tables and ours from result files."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from workings.cli.output import print_json
from workings.files import check_output

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workings.reproduce.result_tables import Results, TextTable

# Lines in a pipe are not wrapped below this width.
_PIPE_WIDTH = 200


def tables(
    results: Path = typer.Argument(Path("results"), help="Folder of results."),
    split: Literal["dev", "test"] = typer.Option("dev", help="Split that was scored."),
    table: int | None = typer.Option(None, min=1, max=4, help="Only this table; default: all."),
    page: Path | None = typer.Option(None, help="Also write all results to this Markdown file."),
    json: bool = typer.Option(False, "--json", help="Print scores and budgets as JSON."),
) -> None:
    """Print the results of `workings reproduce` beside the paper's scores."""
    from workings.reproduce.result_files import read_results

    if page is not None:
        check_output(page, *results.glob("*/*.json"))
    by_row = read_results(results, split)
    if page is not None:
        from workings.reproduce.results_page import write_page

        write_page(results, page)
    if json:
        print_json(_to_json(by_row))
    else:
        print_results(by_row, table)


def print_results(results: "Results", table: int | None) -> None:
    """Print one result table or all, with budgets and significance tests.

    Args:
        results: The results by row.
        table: Number of a table; None for all.
    """
    from workings.reproduce.result_tables import table_numbers, tables_for

    numbers = table_numbers(results) if table is None else [table]
    print_tables(each for number in numbers for each in tables_for(results, number))


def print_tables(tables: "Iterable[TextTable]") -> None:
    """Print tables; all columns but the first are aligned to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    for text_table in tables:
        table = Table(box=SIMPLE_HEAD, title=text_table.title, title_justify="left")
        for index, column in enumerate(text_table.columns):
            table.add_column(column, justify="right" if index else "left")
        for line in text_table.lines:
            table.add_row(*line)
        console.print(table)
        for note in text_table.notes:
            console.print(note)
        console.print()


def _to_json(results: "Results") -> dict[str, Any]:
    from workings.reproduce.rows import all_rows

    rows = all_rows()
    return {
        name: {**result.model_dump(exclude={"scores"}), "published": rows[name].published}
        for name, result in results.items()
    }
