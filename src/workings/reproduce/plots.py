"""Plots of the results: every row by kind of question, and modules against heads."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from workings.files import write_atomically
from workings.reproduce.result_tables import GROUPS, HEADS, MODULES, Results, compare_by_kind
from workings.reproduce.rows import TABLES, all_rows
from workings.score import Estimate, estimate


def draw_plots(results: Results, kinds: Path, difference: Path) -> list[Path]:
    """Draw the plots whose rows have results, as SVG files.

    Args:
        results: The results by row.
        kinds: File for the F1 of every row by kind of question.
        difference: File for the difference between modules and heads.

    Returns:
        The files that were written.
    """
    drawn = []
    if any(name in results for name in TABLES[2]):
        _draw_kinds(results, kinds)
        drawn.append(kinds)
    if MODULES in results and HEADS in results:
        _draw_difference(results, difference)
        drawn.append(difference)
    return drawn


def _draw_kinds(results: Results, path: Path) -> None:
    shown = [row for name, row in all_rows().items() if name in TABLES[2] and name in results]
    figure, axes = _figure()
    for row_index, row in enumerate(shown):
        offset = 0.7 * ((row_index + 0.5) / len(shown) - 0.5)
        estimates = {
            index: estimate(np.array([score.f1 for score in scores]))
            for index, group in enumerate(GROUPS)
            if (scores := results[row.name].group(group))
        }
        heights = [index + offset for index in estimates]
        _points(axes, list(estimates.values()), heights, row.title)
    axes.set(xlabel="F1, with 95 % intervals", xlim=(0, 100))
    axes.legend(fontsize=8)
    _save(figure, path)


def _draw_difference(results: Results, path: Path) -> None:
    rows = all_rows()
    figure, axes = _figure()
    differences = {
        index: comparison.difference
        for index, comparison in enumerate(compare_by_kind(results).values())
        if comparison is not None
    }
    _points(axes, list(differences.values()), list(differences), "")
    axes.axvline(0, color="black", linewidth=1)
    axes.set(xlabel=f"F1 of {rows[MODULES].title} less that of {rows[HEADS].title}")
    _save(figure, path)


def _points(axes: Any, estimates: Sequence[Estimate], heights: Sequence[float], label: str) -> None:
    """Draw points with their intervals."""
    means = 100 * np.array([each.mean for each in estimates])
    below = means - 100 * np.array([each.low for each in estimates])
    above = 100 * np.array([each.high for each in estimates]) - means
    # Rounding can make the length of an empty interval negative.
    errors = np.maximum([below, above], 0)
    axes.errorbar(means, heights, xerr=errors, fmt="o", markersize=4, capsize=2, label=label)


def _figure() -> tuple[Any, Any]:
    import matplotlib

    matplotlib.use("agg")
    # Equal results give equal files, and text stays text.
    matplotlib.rcParams.update({"svg.hashsalt": "workings", "svg.fonttype": "none"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    axes.set_yticks(range(len(GROUPS)), GROUPS)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    from matplotlib import pyplot

    with write_atomically(path) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})
    pyplot.close(figure)
