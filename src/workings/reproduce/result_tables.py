"""Result tables: published and measured scores, training budgets and significance tests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from workings.data.records import KINDS
from workings.reproduce.result_files import RowResult
from workings.reproduce.rows import PAPER, TABLES, Row, all_rows
from workings.reproduce.significance import PairedComparison, compare_rows, holm
from workings.score import estimate
from workings.settings import SHIPPED

Results: TypeAlias = Mapping[str, RowResult]  # by row
Cells: TypeAlias = tuple[str, ...]

ALL = "all"
GROUPS: tuple[str, ...] = (*KINDS, "2 numbers", "3 numbers", ALL)

# The rows of a network of modules and of heads that are compared by kind.
MODULES, HEADS = "kinds", "numnet"
COMPARISONS: dict[int, tuple[tuple[str, str], ...]] = {
    1: (
        ("kinds", "paper"),
        ("kinds", "numnet"),
        ("kinds", "naqanet"),
        ("paper", "original"),
        ("paper", "numnet"),
        ("paper", "no-add-sub"),
        ("paper", "no-question"),
    ),
    3: (
        ("no-question", "add-origin"),
        ("no-question", "sub-origin"),
        ("sub-origin", "add-origin"),
        ("sub", "add"),
    ),
    4: tuple((row, MODULES) for row in TABLES[4] if row != MODULES),
}
_NO_VALUE = "–"


@dataclass(frozen=True)
class TextTable:
    """A table of text.

    Attributes:
        title: The title.
        columns: Names of the columns.
        lines: The cells of each line.
        notes: Sentences below the table.
    """

    title: str
    columns: Cells
    lines: tuple[Cells, ...]
    notes: Cells = ()


def tables_for(results: Results, number: int) -> list[TextTable]:
    """Make one result table, followed by the budgets of its rows and the tests between them.

    Args:
        results: The results by row; rows without a result are left empty.
        number: 1 to 3 for the paper's tables, 4 for our own.
    """
    makers = {1: _methods_table, 2: _kinds_table, 3: _mixtures_table, 4: _changes_table}
    details = [_budget_table(results, number), _comparison_table(results, number)]
    return [makers[number](results), *(table for table in details if table.lines)]


def table_numbers(results: Results) -> list[int]:
    """The numbers of the paper's tables, and of table 4 if one of its rows has a result."""
    has_changes = any(name in results for name in TABLES[4] if name != MODULES)
    return [number for number in TABLES if has_changes or number in PAPER]


def _methods_table(results: Results) -> TextTable:
    lines = [(row.title, *_published(row, ALL), *_measured(results, row, ALL)) for row in _rows(1)]
    return TextTable(
        "Table 1: methods and ablations, all questions",
        ("method", "F1 (paper)", "EM (paper)", "F1", "EM"),
        tuple(lines),
        _notes(results, 1),
    )


def _kinds_table(results: Results) -> TextTable:
    columns = ["kind", "questions"]
    for row in _rows(2):
        columns += [f"{row.title} (paper)", row.title] if row.published else [row.title]
    lines = [(group, _questions(results, group), *_f1_cells(results, group)) for group in GROUPS]
    title = "Table 2: F1 by kind of question"
    return TextTable(title, tuple(columns), tuple(lines), _notes(results, 2))


def _f1_cells(results: Results, group: str) -> Cells:
    """The published F1, where there is one, and the measured F1 of every row of table 2."""
    cells: list[str] = []
    for row in _rows(2):
        cells += _published(row, group)[:1] if row.published else []
        cells += _measured(results, row, group)[:1]
    return tuple(cells)


def _mixtures_table(results: Results) -> TextTable:
    groups = ("add-sub", ALL)
    lines = []
    for row in _rows(3):
        cells = [row.mixture]
        for group in groups:
            cells += [*_published(row, group), *_measured(results, row, group)]
        lines.append(tuple(cells))
    columns = [
        f"{group} {measure}"
        for group in groups
        for measure in ("F1 (paper)", "EM (paper)", "F1", "EM")
    ]
    title = "Table 3: mixtures of training data"
    return TextTable(title, ("trained on", *columns), tuple(lines), _notes(results, 3))


def _changes_table(results: Results) -> TextTable:
    lines = []
    for row in _rows(4):
        f1_by_kind = (_measured(results, row, kind)[0].partition(" ")[0] for kind in KINDS)
        changes = " ".join(row.changes) or _NO_VALUE
        lines.append((row.title, changes, *_measured(results, row, ALL), *f1_by_kind))
    title = "Table 4: our recipe with one change"
    columns = ("change", "setting", "F1", "EM", *(f"{kind} F1" for kind in KINDS))
    return TextTable(title, columns, tuple(lines), _notes(results, 4))


def _budget_table(results: Results, number: int) -> TextTable:
    lines = [
        (
            row.title,
            f"{budget.epochs:g}",
            f"{budget.steps:,}",
            f"{budget.questions:,}",
            f"{budget.seconds / 60:,.1f}",
        )
        for row in _rows(number)
        if row.name in results
        for budget in (results[row.name].budget,)
    ]
    columns = ("row", "epochs", "steps", "questions seen", "minutes")
    note = "Minutes are wall-clock time. They include pauses and other work of the machine."
    return TextTable(f"Training budget of table {number}", columns, tuple(lines), (note,))


def _comparison_table(results: Results, number: int) -> TextTable:
    """The tests of a table, as far as their rows have results."""
    rows = all_rows()
    if number == 2:
        title = f"{rows[MODULES].title} − {rows[HEADS].title}, F1 by kind"
        return _format_comparisons(title, "kind", compare_by_kind(results))
    comparisons = {
        f"{rows[first].title} − {rows[second].title}": compare_rows(results[first], results[second])
        for first, second in COMPARISONS[number]
        if first in results and second in results
    }
    title = f"Differences in F1 between rows of table {number}"
    return _format_comparisons(title, "rows", comparisons)


def compare_by_kind(results: Results) -> dict[str, PairedComparison | None]:
    """Compare the network of modules with the heads on each group of questions.

    Returns:
        The comparisons by group, None for a group without questions. Empty if a row is missing.
    """
    if MODULES not in results or HEADS not in results:
        return {}
    return {group: compare_rows(results[MODULES], results[HEADS], group) for group in GROUPS}


def _format_comparisons(
    title: str, first_column: str, comparisons: Mapping[str, PairedComparison | None]
) -> TextTable:
    made = {name: each for name, each in comparisons.items() if each is not None}
    adjusted = holm([comparison.p for comparison in made.values()])
    lines = [
        (name, f"{each.questions:,}", _format_difference(each), _format_p(each.p), _format_p(p))
        for (name, each), p in zip(made.items(), adjusted, strict=True)
    ]
    note = (
        "Exact two-sided paired permutation tests on the F1 of each question. The last column is "
        "adjusted for the number of tests by Holm's method."
    )
    columns = (first_column, "questions", "difference", "p", "p adjusted")
    return TextTable(title, columns, tuple(lines), (note,))


def _rows(number: int) -> list[Row]:
    rows = all_rows()
    return [rows[name] for name in TABLES[number]]


def _published(row: Row, group: str) -> Cells:
    """F1 and exact match in the paper."""
    scores = [f"{value:.1f}" for value in row.published.get(group, ())]
    return (*scores, _NO_VALUE, _NO_VALUE)[:2]


def _measured(results: Results, row: Row, group: str) -> Cells:
    """F1 and exact match of our run, with their intervals."""
    scores = results[row.name].group(group) if row.name in results else []
    if not scores:
        return _NO_VALUE, _NO_VALUE
    return (
        _format_score([score.f1 for score in scores]),
        _format_score([score.em for score in scores]),
    )


def _format_score(scores: Sequence[float]) -> str:
    found = estimate(np.array(scores))
    return f"{100 * found.mean:.1f} ({100 * found.low:.0f}–{100 * found.high:.0f})"


def _questions(results: Results, group: str) -> str:
    counts = {len(results[row.name].group(group)) for row in _rows(2) if row.name in results}
    return " or ".join(f"{count:,}" for count in sorted(counts)) or _NO_VALUE


def _format_difference(comparison: PairedComparison) -> str:
    found = comparison.difference
    return f"{100 * found.mean:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f})"


def _format_p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def _notes(results: Results, number: int) -> Cells:
    """How the scores of a table were obtained."""
    shown = [results[name] for name in TABLES[number] if name in results]
    if not shown:
        return ("No row of this table has been run yet.",)
    missing = [row.title for row in _rows(number) if row.name not in results]
    ours = "The paper's scores are on its test set. Ours" if number in PAPER else "Scores"
    return (
        f"{ours} are on {shown[0].split}, with 95 % bootstrap intervals in brackets.",
        _budget_note(shown),
        *_data_notes(shown),
        *((f"Not run yet: {', '.join(missing)}.",) if missing else ()),
    )


def _budget_note(shown: Sequence[RowResult]) -> str:
    shared = {(result.recipe.encoder, result.recipe.train) for result in shown}
    if len(shared) > 1:
        return "The rows DIFFER in encoder or training settings, so their scores do not compare."
    return (
        f"All rows have the same budget: {shown[0].budget.epochs:g} epochs of their training "
        "questions, with the same encoder and optimiser. Wall-clock time is not held equal."
    )


def _data_notes(shown: Sequence[RowResult]) -> Iterator[str]:
    """Why a table is not a comparison with the paper."""
    passages = max(result.recipe.data.limit for result in shown)
    encoder = shown[0].recipe.encoder
    layers = f" and the lowest {encoder.layers} layers of the encoder" if encoder.layers else ""
    if passages:
        warning = "QUICK RUN, not a comparison with the paper: only" if layers else "Only"
        yield f"{warning} {passages} training passages{layers}."
    if encoder.source == SHIPPED and not encoder.layers:
        yield (
            "The encoder is frozen and comes from the weights that were shipped when the rows were "
            "run. Only modules or heads are trained, so the rows compare these on the same "
            "vectors. Our own network trained this encoder on the training questions, which "
            "favours our recipe."
        )
