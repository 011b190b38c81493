"""The page of results, written from the files of results and nothing else."""

from collections.abc import Iterator
from pathlib import Path

from workings.files import write_atomically
from workings.reproduce.plots import draw
from workings.reproduce.result_files import SplitName, read_results
from workings.reproduce.result_tables import Grid, Results, grids, tables_of
from workings.reproduce.rows import PAPER, all_rows, frozen_settings

_HEAD = """\
# Results

The tables of *Teaching Neural Module Networks to Do Arithmetic* with ours beside the paper's. \
This page is written by `workings tables --page docs/results.md` from the files under `results/`; \
how those are made is told in [reproduce](reproduce.md).

Settings are chosen on dev; test is only reported. Most training answers of the files at hand are \
annotations by a language model that saw no gold answer: on the seven kinds 94.2 % of a checked \
sample equal the gold one. The paper trained on DROP's own answers with a larger encoder, and its \
questions are not quite ours ([data](data.md)). What the weights in the package score on test \
stands in [experiments](experiments.md).
"""

# What is shown of a folder of results: a heading, a folder in it, a split, and how it is made.
_SECTIONS: tuple[tuple[str, str, SplitName, str], ...] = (
    ("Test", "", "test", "--split test"),
    ("Dev", "", "dev", ""),
    (
        "On one frozen encoder, on dev",
        "frozen",
        "dev",
        " ".join(["--out results/frozen", *(f"--set {one}" for one in frozen_settings())]),
    ),
    ("A quick look, on dev", "quick", "dev", "--quick"),
)


def write_page(folder: Path, page: Path) -> None:
    """Write the page for a folder of results, with its plots beside it."""
    text = "\n".join([_HEAD, *_sections(folder, page)])
    with write_atomically(page) as file:
        file.write(text.encode())


def _sections(folder: Path, page: Path) -> Iterator[str]:
    """What was measured; before anything was, the paper's numbers alone."""
    measured = False
    for heading, inner, split, options in _SECTIONS:
        results = read_results(folder / inner, split)
        if results:
            measured = True
            command = f"workings reproduce --data DIR {options}".rstrip()
            own = "" if set(tables_of(results)) <= set(PAPER) else f"$ {command} --table 4\n"
            yield f"## {heading}\n\n```console\n$ {command}\n{own}```\n"
            yield from _section(results, page, f"{page.stem}-{inner or split}")
    if not measured:
        yield from (markdown(grids({}, table)[0]) for table in PAPER)


def _section(results: Results, page: Path, stem: str) -> Iterator[str]:
    names = [page.with_name(f"{stem}-{what}.svg") for what in ("kinds", "difference")]
    for path in draw(results, *names):
        yield f"![{path.stem}]({path.name})\n"
    for table in tables_of(results):
        yield from map(markdown, grids(results, table))
    yield markdown(_sources(results))


def _sources(results: Results) -> Grid:
    lines = [
        (all_rows()[name].title, name, result.commit, result.date)
        for name, result in results.items()
    ]
    return Grid("Where the rows come from", ("row", "name", "commit", "date"), tuple(lines))


def markdown(grid: Grid) -> str:
    """A grid as a Markdown table; all but the first column to the right."""
    aligned = ["---", *["---:"] * (len(grid.columns) - 1)]
    lines = [grid.columns, tuple(aligned), *grid.lines]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    notes = "".join(f"\n{note}\n" for note in grid.notes)
    return f"### {grid.title}\n\n{table}\n{notes}"
