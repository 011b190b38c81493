"""``workings calibrate``: fit a model's confidence to how often its answers are right."""

from pathlib import Path
from typing import Annotated

import typer

from workings.cli.options import AllQuestionsOption
from workings.cli.progress_bar import progress_bar


def calibrate(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Model folder to calibrate.")],
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Questions with answers: DROP's JSON, or JSON lines."),
    ],
    all_questions: AllQuestionsOption = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Fit a model's confidence to how often it is right.

    Writes the fitted temperature to the model folder, and reports the expected calibration error
    before and after. Use questions that the model was not trained on.
    """
    from dataclasses import asdict

    from rich.console import Console

    from workings.data.kinds import load_split
    from workings.evaluation.calibration import calibrate as fit
    from workings.evaluation.prediction import questions_to_score

    passages = questions_to_score(load_split(file), all_questions=all_questions)
    total = sum(len(passage.questions) for passage in passages)
    with progress_bar() as progress:
        result = fit(folder, passages, lambda done: progress("Answering", done, total))
    console = Console(highlight=False)
    if json:
        console.print_json(data=asdict(result))
    else:
        console.print(
            f"Temperature {result.temperature:.3f}, fitted on {result.questions:,} questions "
            f"({result.right:.1%} right). Expected calibration error: "
            f"{result.before:.3f} before, {result.after:.3f} after.",
            soft_wrap=True,
        )
