"""Learning curves of a run, drawn as a picture."""

import json
from pathlib import Path
from typing import Any

from workings.files import write_atomically


def draw_curves(metrics: Path, picture: Path) -> None:
    """Plot the training loss, and the dev F1 overall and by question kind, against the steps.

    Args:
        metrics: The ``metrics.jsonl`` of a run.
        picture: The PNG file to write.
    """
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    rows: list[dict[str, Any]] = [json.loads(line) for line in metrics.read_text().splitlines()]
    loss_rows = [row for row in rows if "answer" in row]
    dev_rows = [row for row in rows if "dev_f1" in row]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 4.5), layout="constrained")
    for name in ("answer", "execution"):
        rows = [row for row in loss_rows if name in row]  # peers have no execution loss
        left.plot([r["step"] for r in rows], [r[name] for r in rows], label=name, alpha=0.8)
    left.set(xlabel="step", ylabel="loss", title="Training loss")
    steps = [row["step"] for row in dev_rows]
    for kind in sorted({kind for row in dev_rows for kind in row["kinds"]}):
        right.plot(steps, [100 * r["kinds"].get(kind, 0) for r in dev_rows], label=kind, alpha=0.6)
    overall = [100 * row["dev_f1"] for row in dev_rows]
    right.plot(steps, overall, label="all", color="black", linewidth=2)
    right.set(xlabel="step", ylabel="F1", title="Dev F1 of the averaged weights", ylim=(0, 100))
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    with write_atomically(picture) as file:
        figure.savefig(file, format="png", dpi=110)
    pyplot.close(figure)
