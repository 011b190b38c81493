"""``workings tables``: the paper's tables with ours beside them, from results kept in files."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workings.reproduce.result_tables import Grid, Results

# In a pipe there is no edge to wrap at.
_PIPE_WIDTH = 200


def tables(
    results: Path = typer.Argument(Path("results"), help="The folder of results."),
    split: Literal["dev", "test"] = typer.Option("dev", help="The questions that were scored."),
    table: int | None = typer.Option(None, min=1, max=4, help="Only this table."),
    page: Path | None = typer.Option(None, help="Write all there is as Markdown with plots here."),
    json: bool = typer.Option(False, "--json", help="Print the scores and budgets as JSON."),
) -> None:
    """Print what `workings reproduce` has measured beside the paper's numbers."""
    from workings.reproduce.result_files import read_results

    found = read_results(results, split)
    if page is not None:
        from workings.reproduce.results_page import write_page

        write_page(results, page)
    if json:
        from rich.console import Console

        Console().print_json(data=_as_json(found))
    else:
        show_tables(found, table)


def show_tables(results: "Results", table: int | None) -> None:
    """Print one table, or all, with what its rows took and the tests between them."""
    from workings.reproduce.result_tables import grids, tables_of

    shown = tables_of(results) if table is None else [table]
    show_grids(grid for each in shown for grid in grids(results, each))


def show_grids(grids: "Iterable[Grid]") -> None:
    """Print tables of words, all columns but the first to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    for grid in grids:
        shown = Table(box=SIMPLE_HEAD, title=grid.title, title_justify="left")
        for place, column in enumerate(grid.columns):
            shown.add_column(column, justify="right" if place else "left")
        for line in grid.lines:
            shown.add_row(*line)
        console.print(shown)
        for note in grid.notes:
            console.print(note)
        console.print()


def _as_json(results: "Results") -> dict[str, Any]:
    from workings.reproduce.rows import all_rows

    rows = all_rows()
    return {
        name: {**result.model_dump(exclude={"scores"}), "published": rows[name].published}
        for name, result in results.items()
    }
