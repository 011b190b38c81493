"""Charts of the analysis."""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from workings.analysis.error_attribution import CATEGORIES, CATEGORY_LABELS
from workings.analysis.error_report import ErrorCounts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from workings.analysis.faithfulness import Faithfulness


def draw_shares(counts: Sequence[ErrorCounts]) -> bytes:
    """Draw one bar for each kind of question, divided by the category of the first error.

    Returns:
        A PNG file.
    """
    figure = _figure(9, 1.4 + 0.5 * len(counts))
    axes = figure.add_subplot()
    rows = [row for row in reversed(counts) if row.wrong]
    labels = [f"{row.kind}\n{row.wrong} of {row.questions} wrong" for row in rows]
    left = [0.0] * len(rows)
    for index, category in enumerate(CATEGORIES):
        shares = [100 * row.shares[category] for row in rows]
        colour = "lightgrey" if category == "unknown" else f"C{index}"
        axes.barh(labels, shares, left=left, label=CATEGORY_LABELS[category], color=colour)
        left = [start + share for start, share in zip(left, shares, strict=True)]
    axes.set(xlim=(0, 100), xlabel="% of the wrong answers, by the first step that went wrong")
    axes.tick_params(axis="y", labelsize=8)
    figure.legend(
        *axes.get_legend_handles_labels(), loc="outside upper center", ncols=8, fontsize=8
    )
    return _png(figure)


def draw_deletion_curves(rows: "Sequence[Faithfulness]") -> bytes:
    """Draw the deletion and insertion curves, one line for each module.

    Returns:
        A PNG file.
    """
    figure = _figure(11, 4.5)
    measured = [(row.module, row.curves) for row in rows if row.curves is not None]
    for column, name in enumerate(("deletion", "insertion")):
        axes = figure.add_subplot(1, 2, column + 1)
        for index, (module, curves) in enumerate(measured):
            own, random = getattr(curves, name)
            axes.plot(curves.sizes, own, color=f"C{index}", marker=".", label=module)
            axes.plot(curves.sizes, random, color=f"C{index}", linestyle=":")
        axes.set(xlabel="words", ylabel="remaining share of the answer", title=name, ylim=(0, 1.02))
        axes.set_xscale("log", base=2)
        axes.grid(alpha=0.3)
    figure.legend(
        *axes.get_legend_handles_labels(),
        loc="outside right center",
        fontsize=8,
        title="dotted: random",
    )
    return _png(figure)


def _figure(width: float, height: float) -> "Figure":
    import matplotlib

    matplotlib.use("agg")
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _png(figure: "Figure") -> bytes:
    file = BytesIO()
    figure.savefig(file, format="png", dpi=110)
    return file.getvalue()
