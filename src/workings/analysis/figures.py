"""The analysis as pictures."""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from workings.analysis.error_attribution import FAULTS, LABELS
from workings.analysis.error_report import ErrorCounts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from workings.analysis.faithfulness import Faithfulness


def draw_shares(tallies: Sequence[ErrorCounts]) -> bytes:
    """A bar for each kind of question, in which every fault has its share of the wrong answers."""
    figure = _figure(9, 1.4 + 0.5 * len(tallies))
    axes = figure.add_subplot()
    rows = [one for one in reversed(tallies) if one.wrong]
    labels = [f"{one.kind}\n{one.wrong} of {one.questions} wrong" for one in rows]
    done = [0.0] * len(rows)
    for place, fault in enumerate(FAULTS):
        shares = [100 * one.shares[fault] for one in rows]
        colour = "lightgrey" if fault == "unknown" else f"C{place}"
        axes.barh(labels, shares, left=done, label=LABELS[fault], color=colour)
        done = [left + share for left, share in zip(done, shares, strict=True)]
    axes.set(xlim=(0, 100), xlabel="% of the wrong answers, by the first step that went wrong")
    axes.tick_params(axis="y", labelsize=8)
    figure.legend(
        *axes.get_legend_handles_labels(), loc="outside upper center", ncols=8, fontsize=8
    )
    return _png(figure)


def draw_curves(faiths: "Sequence[Faithfulness]") -> bytes:
    """How much of the answer is kept as words go and come back, one line for each module."""
    figure = _figure(11, 4.5)
    known = [(one.module, one.curves) for one in faiths if one.curves is not None]
    for place, how in enumerate(("deletion", "insertion")):
        axes = figure.add_subplot(1, 2, place + 1)
        for number, (module, curves) in enumerate(known):
            own, random = getattr(curves, how)
            axes.plot(curves.sizes, own, color=f"C{number}", marker=".", label=module)
            axes.plot(curves.sizes, random, color=f"C{number}", linestyle=":")
        axes.set(xlabel="words", ylabel="share of the answer kept", title=how, ylim=(0, 1.02))
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
