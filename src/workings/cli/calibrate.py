"""``workings calibrate``: confidence that says how often an answer is right."""

from pathlib import Path

import typer

from workings.cli.progress_bar import progress_bar


def calibrate(
    folder: Path = typer.Argument(metavar="FOLDER", help="The model folder to calibrate."),
    file: Path = typer.Argument(metavar="FILE", help="DROP's JSON or JSON lines, with answers."),
    every: bool = typer.Option(False, "--all", help="Ask questions of no kind too."),
    json: bool = typer.Option(False, "--json", help="Print what was found as JSON."),
) -> None:
    """Fit a model's confidence to how often it is right, and write that into its folder.

    Use questions the model was not trained on. The error told is the expected calibration error.
    """
    from dataclasses import asdict

    from rich.console import Console

    from workings.data.kinds import load_split
    from workings.evaluation.calibration import calibrate as fit
    from workings.evaluation.prediction import questions_to_score

    passages = questions_to_score(load_split(file), all_questions=every)
    asked = sum(len(passage.questions) for passage in passages)
    with progress_bar() as watch:
        found = fit(folder, passages, lambda done: watch("Answering", done, asked))
    console = Console(highlight=False)
    if json:
        console.print_json(data=asdict(found))
    else:
        console.print(
            f"Temperature {found.temperature:.3f}, fitted on {found.questions:,} questions "
            f"({found.right:.1%} right): error {found.before:.3f} before, {found.after:.3f} after.",
            soft_wrap=True,
        )
