"""The page of results (docs/results.md), written from the result files."""

from collections.abc import Iterator
from pathlib import Path

from workings.files import write_atomically
from workings.reproduce.plots import draw_plots
from workings.reproduce.result_files import SplitName, read_results
from workings.reproduce.result_tables import Results, TextTable, table_numbers, tables_for
from workings.reproduce.rows import PAPER, all_rows, frozen_settings

_HEAD = """\
# Results

This page compares our runs with the tables of *Teaching Neural Module Networks to Do Arithmetic*. \
`workings tables --page docs/results.md` writes it from the files in `results/`. \
[Reproduce](reproduce.md) explains how to make these files.

Settings were chosen on dev; test is only reported. The paper trained on DROP's own answers with a \
larger encoder, and its questions differ slightly from ours ([data](data.md)). A language model \
that saw no gold answer annotated most of our training answers: on the seven kinds 94.2 % of a \
checked sample equal the gold answer. [Experiments](experiments.md) has the test scores of the \
shipped weights.
"""

# Sections of the page: heading, subfolder of the results, split, and options of the command.
_SECTIONS: tuple[tuple[str, str, SplitName, str], ...] = (
    ("Test", "", "test", "--split test"),
    ("Dev", "", "dev", ""),
    (
        "On one frozen encoder, dev",
        "frozen",
        "dev",
        " ".join(["--out results/frozen", *(f"--set {setting}" for setting in frozen_settings())]),
    ),
    ("Quick run, dev", "quick", "dev", "--quick"),
)

# Plots of a section, with their alternative texts.
_PLOTS = {
    "kinds": "F1 of each row by kind of question",
    "difference": "F1 of modules less F1 of heads by kind of question",
}


def write_page(folder: Path, page: Path) -> None:
    """Write the page of results, with its plots in the same folder.

    Args:
        folder: Folder of results.
        page: The Markdown file to write.

    Raises:
        DataError: If a result cannot be read.
    """
    text = "\n".join([_HEAD, *_sections(folder, page)])
    with write_atomically(page) as file:
        file.write(text.encode())


def _sections(folder: Path, page: Path) -> Iterator[str]:
    """The sections that have results; without any result, the paper's tables."""
    has_results = False
    for heading, subfolder, split, options in _SECTIONS:
        results = read_results(folder / subfolder, split)
        if results:
            has_results = True
            command = f"workings reproduce --data DIR {options}".rstrip()
            paper_only = set(table_numbers(results)) <= set(PAPER)
            table_4 = "" if paper_only else f"$ {command} --table 4\n"
            yield f"## {heading}\n\n```console\n$ {command}\n{table_4}```\n"
            yield from _section(results, page, f"{page.stem}-{subfolder or split}")
    if not has_results:
        yield from (markdown(tables_for({}, number)[0]) for number in PAPER)


def _section(results: Results, page: Path, stem: str) -> Iterator[str]:
    plots = {page.with_name(f"{stem}-{name}.svg"): text for name, text in _PLOTS.items()}
    for path in draw_plots(results, *plots):
        yield f"![{plots[path]}]({path.name})\n"
    for number in table_numbers(results):
        yield from map(markdown, tables_for(results, number))
    yield markdown(_sources(results))


def _sources(results: Results) -> TextTable:
    lines = [
        (all_rows()[name].title, name, result.commit, result.date)
        for name, result in results.items()
    ]
    return TextTable("Commit and date of each row", ("row", "name", "commit", "date"), tuple(lines))


def markdown(table: TextTable) -> str:
    """Format a table as Markdown; all columns but the first are aligned to the right."""
    alignment = ("---", *["---:"] * (len(table.columns) - 1))
    lines = [table.columns, alignment, *table.lines]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    notes = "".join(f"\n{note}\n" for note in table.notes)
    return f"### {table.title}\n\n{text}\n{notes}"
