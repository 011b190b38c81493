"""The paper's result tables with ours beside theirs, our own, what rows took, and the tests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from workings.data.records import KINDS
from workings.reproduce.result_files import RowResult
from workings.reproduce.rows import PAPER, TABLES, Row, all_rows
from workings.reproduce.significance import Contrast, contrast, holm
from workings.score import estimate
from workings.settings import SHIPPED

Results: TypeAlias = Mapping[str, RowResult]
Line: TypeAlias = tuple[str, ...]

ALL = "all"
GROUPS: tuple[str, ...] = (*KINDS, "2 numbers", "3 numbers", ALL)

# Modules and heads: the pair whose difference is told kind by kind.
MODULES, HEADS = "kinds", "numnet"
CONTRASTS: dict[int, tuple[tuple[str, str], ...]] = {
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
_NONE = "–"


@dataclass(frozen=True)
class Grid:
    """A table of words, to be printed or written."""

    title: str
    columns: Line
    lines: tuple[Line, ...]
    notes: Line = ()


def grids(results: Results, table: int) -> list[Grid]:
    """One of the tables, what its rows took, and the differences between them."""
    made = {1: _methods, 2: _kinds, 3: _mixtures, 4: _changes}[table](results)
    more = [_budgets(results, table), _contrasts(results, table)]
    return [made, *(grid for grid in more if grid.lines)]


def tables_of(results: Results) -> list[int]:
    """The paper's tables, and our own where a row of it has been run."""
    own = any(name in results for name in TABLES[4] if name != MODULES)
    return [table for table in TABLES if own or table in PAPER]


def _methods(results: Results) -> Grid:
    rows = _rows(1)
    lines = [
        (row.title, *_theirs(row, ALL), _ours(results, row, ALL), _ours(results, row, ALL, "em"))
        for row in rows
    ]
    return Grid(
        "Table 1: methods and ablations, all questions",
        ("method", "F1 (paper)", "EM (paper)", "F1", "EM"),
        tuple(lines),
        _notes(results, 1),
    )


def _kinds(results: Results) -> Grid:
    rows = _rows(2)
    columns = ["kind", "questions"]
    for row in rows:
        columns += [f"{row.title} (paper)", row.title] if row.published else [row.title]
    lines = [(group, _questions(results, group), *_across(results, group)) for group in GROUPS]
    title = "Table 2: F1 by kind of question"
    return Grid(title, tuple(columns), tuple(lines), _notes(results, 2))


def _across(results: Results, group: str) -> Line:
    """One kind in every column: theirs where there is one, and ours."""
    cells: list[str] = []
    for row in _rows(2):
        cells += _theirs(row, group)[:1] if row.published else []
        cells.append(_ours(results, row, group))
    return tuple(cells)


def _mixtures(results: Results) -> Grid:
    lines = []
    for row in _rows(3):
        cells = [row.mixture]
        for group in ("add-sub", ALL):
            ours = (_ours(results, row, group), _ours(results, row, group, "em"))
            cells += [*_theirs(row, group), *ours]
        lines.append(tuple(cells))
    columns = [
        f"{group} {measure}"
        for group in ("add-sub", ALL)
        for measure in ("F1 (paper)", "EM (paper)", "F1", "EM")
    ]
    title = "Table 3: what the training data hold"
    return Grid(title, ("trained on", *columns), tuple(lines), _notes(results, 3))


def _changes(results: Results) -> Grid:
    lines = []
    for row in _rows(4):
        kinds = (_ours(results, row, kind).partition(" ")[0] for kind in KINDS)
        both = (_ours(results, row, ALL), _ours(results, row, ALL, "em"))
        lines.append((row.title, " ".join(row.changes) or _NONE, *both, *kinds))
    title = "Table 4: our own recipe with one thing changed"
    columns = ("changed", "setting", "F1", "EM", *(f"{kind} F1" for kind in KINDS))
    return Grid(title, columns, tuple(lines), _notes(results, 4))


def _budgets(results: Results, table: int) -> Grid:
    lines = [
        (
            row.title,
            f"{took.epochs:g}",
            f"{took.steps:,}",
            f"{took.questions:,}",
            f"{took.seconds / 60:,.1f}",
        )
        for row in _rows(table)
        if row.name in results
        for took in (results[row.name].budget,)
    ]
    columns = ("row", "epochs", "steps", "questions seen", "minutes")
    note = "Minutes by the clock, with all else the machine did and all pauses in them."
    return Grid(f"What the rows of table {table} took", columns, tuple(lines), (note,))


def _contrasts(results: Results, table: int) -> Grid:
    """The tests a table asks for, as far as their rows are there."""
    if table == 2:
        return by_kind(results)
    rows = all_rows()
    tests = {
        f"{rows[first].title} − {rows[second].title}": contrast(results[first], results[second])
        for first, second in CONTRASTS[table]
        if first in results and second in results
    }
    return _tests(f"Differences in F1 between rows of table {table}", "rows", tests)


def by_kind(results: Results) -> Grid:
    """Where modules beat heads, and where they do not."""
    rows = all_rows()
    title = f"{rows[MODULES].title} − {rows[HEADS].title}, F1 by kind"
    return _tests(title, "kind", contrasts_by_kind(results))


def contrasts_by_kind(results: Results) -> dict[str, Contrast | None]:
    if MODULES not in results or HEADS not in results:
        return {}
    return {group: contrast(results[MODULES], results[HEADS], group) for group in GROUPS}


def _tests(title: str, what: str, tests: Mapping[str, Contrast | None]) -> Grid:
    done = {name: test for name, test in tests.items() if test is not None}
    adjusted = holm([test.p for test in done.values()])
    lines = [
        (name, f"{test.questions:,}", _signed(test), _chance(test.p), _chance(raised))
        for (name, test), raised in zip(done.items(), adjusted, strict=True)
    ]
    note = (
        "Exact paired permutation tests on the F1 of each question, two-sided; the last column is "
        "adjusted for the number of tests by Holm's method."
    )
    columns = (what, "questions", "difference", "p", "p adjusted")
    return Grid(title, columns, tuple(lines), (note,))


def _rows(table: int) -> list[Row]:
    rows = all_rows()
    return [rows[name] for name in TABLES[table]]


def _theirs(row: Row, group: str) -> Line:
    """F1 and exact match as the paper has them."""
    given = [f"{value:.1f}" for value in row.published.get(group, ())]
    return (*given, _NONE, _NONE)[:2]


def _ours(results: Results, row: Row, group: str, measure: str = "f1") -> str:
    scores = results[row.name].group(group) if row.name in results else []
    if not scores:
        return _NONE
    found = estimate(np.array([getattr(score, measure) for score in scores]))
    return f"{100 * found.mean:.1f} ({100 * found.low:.0f}–{100 * found.high:.0f})"


def _questions(results: Results, group: str) -> str:
    counts = {len(results[row.name].group(group)) for row in _rows(2) if row.name in results}
    return " or ".join(f"{count:,}" for count in sorted(counts)) or _NONE


def _signed(test: Contrast) -> str:
    found = test.difference
    return f"{100 * found.mean:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f})"


def _chance(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def _notes(results: Results, table: int) -> Line:
    """On what the numbers of a table stand."""
    shown = [results[name] for name in TABLES[table] if name in results]
    if not shown:
        return ("No row of this table has been run here yet.",)
    missing = [row.title for row in _rows(table) if row.name not in results]
    theirs = "The paper's numbers are on its test set; ours" if table in PAPER else "Scores are"
    return (
        f"{theirs} on {shown[0].split}, with 95 % bootstrap intervals in brackets.",
        _budget_note(shown),
        *_slice_notes(shown),
        *((f"Not run here yet: {', '.join(missing)}.",) if missing else ()),
    )


def _budget_note(shown: Sequence[RowResult]) -> str:
    shared = {(result.recipe.encoder, result.recipe.train) for result in shown}
    if len(shared) > 1:
        return "The rows were NOT trained alike: their encoders, epochs or optimisers differ."
    return (
        f"The budget is the same for all rows: {shown[0].budget.epochs:g} epochs of the questions "
        "a row learns from, with the same encoder and optimiser. Wall-clock is not held equal."
    )


def _slice_notes(shown: Sequence[RowResult]) -> Iterator[str]:
    """What keeps a table from being a comparison with the paper."""
    passages = max(result.recipe.data.limit for result in shown)
    encoder = shown[0].recipe.encoder
    depth = f" and the lowest {encoder.layers} layers of the encoder" if encoder.layers else ""
    if passages:
        warning = "QUICK LOOK, not a comparison with the paper: only" if depth else "Only"
        yield f"{warning} {passages} training passages{depth}."
    if encoder.source == SHIPPED and not encoder.layers:
        yield (
            "The encoder is that of the weights shipped when the rows were run, which our own "
            "network has trained on the training questions, and is held fast: only what stands on "
            "it is trained, so the rows compare modules and heads on the same vectors. That "
            "favours our own recipe."
        )
