"""``workings reproduce``: train and score the rows of the paper's tables."""

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from workings.cli.progress_bar import progress_bar
from workings.cli.tables import print_results, print_tables


def reproduce(
    data: Annotated[
        Path | None, typer.Option(envvar="WORKINGS_DATA", help="Folder of the DROP files.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of results and runs; default: results, or results/quick."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Quick run on few passages, in under half an hour.")
    ] = False,
    table: Annotated[
        int | None,
        typer.Option(min=1, max=4, help="Only the rows of this table; 4 is not in the paper."),
    ] = None,
    only: Annotated[list[str] | None, typer.Option(help="Only this row; may be repeated.")] = None,
    split: Annotated[
        Literal["dev", "test"], typer.Option(help="Split to score; test is for final tables.")
    ] = "dev",
    plan: Annotated[
        bool, typer.Option("--plan", help="Only print the rows and their estimated times.")
    ] = False,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change a setting in every row: section.name=value."),
    ] = None,
) -> None:
    """Train and score the rows that have no result yet, and print the paper's tables."""
    from workings.reproduce.planning import plan_rows, plan_table
    from workings.reproduce.result_files import read_results
    from workings.reproduce.rows import chosen_rows, quick_settings
    from workings.reproduce.runner import Reproduction

    rows = chosen_rows(table, only or ())
    folder = out or Path("results/quick" if quick else "results")
    settings = (*(quick_settings() if quick else ()), *(set_ or ()))
    reproduction = Reproduction(data, folder, split, settings)
    if plan:
        print_tables([plan_table(plan_rows(reproduction, rows))])
        return
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    missing = [row for row in rows if reproduction.load(row) is None]
    with progress_bar() as show_progress:
        for done, row in enumerate(missing, 1):
            reproduction.run(row, show_progress)
            typer.echo(f"{row.name} is done, {done} of {len(missing)}.", err=True)
    print_results(read_results(folder, split), table)
