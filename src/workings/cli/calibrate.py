"""``workings calibrate``: fit a model's confidence to how often its answers are right."""

from pathlib import Path
from typing import Annotated

import typer

from workings.cli.options import AllQuestionsOption
from workings.cli.output import print_json
from workings.cli.progress_bar import progress_bar


def calibrate(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Model folder to calibrate.")],
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Questions with answers: DROP's JSON, or JSON lines."
        ),
    ],
    all_questions: AllQuestionsOption = False,
    accuracy: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Share of right answers that the default minimum confidence must ensure.",
        ),
    ] = 0.0,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Fit a model's confidence to how often it is right.

    Writes the fitted temperature and the default minimum confidence to the model folder, and
    reports the expected calibration error before and after. Use questions that the model was not
    trained on.
    """
    from dataclasses import asdict

    from rich.console import Console

    from workings.data.kinds import load_split
    from workings.evaluation.calibration import calibrate as fit
    from workings.evaluation.prediction import questions_to_score

    loaded = [passage for file in files for passage in load_split(file)]
    passages = questions_to_score(loaded, all_questions=all_questions)
    total = sum(len(passage.questions) for passage in passages)
    with progress_bar() as progress:
        result = fit(
            folder,
            passages,
            lambda done: progress("Answering", done, total),
            accuracy=accuracy,
        )
    if json:
        print_json(asdict(result))
    else:
        Console(highlight=False).print(
            f"Temperature {result.temperature:.3f}, fitted on {result.questions:,} questions "
            f"({result.right:.1%} right). Expected calibration error: "
            f"{result.before:.3f} before, {result.after:.3f} after. "
            f"Minimum confidence {result.threshold:.3f}: {result.answered:.1%} of the questions "
            f"are answered, {result.accuracy:.1%} of the answers are right.",
            soft_wrap=True,
        )
