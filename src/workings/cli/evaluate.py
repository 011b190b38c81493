"""``workings evaluate``: answer a file of questions and score the answers."""

from pathlib import Path
from typing import Annotated

import typer

from workings.cli.options import AllQuestionsOption, FastOption, ModelOption
from workings.cli.progress_bar import progress_bar
from workings.cli.scoring import print_report
from workings.files import check_output


def evaluate(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="Questions with answers: DROP's JSON, or JSON lines. Repeatable."
        ),
    ],
    model: ModelOption = None,
    all_questions: AllQuestionsOption = False,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    explain: Annotated[
        Path | None,
        typer.Option(help="Also write an HTML page per question to this folder."),
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="Also write the answers to this JSON file.")
    ] = None,
    fast: FastOption = False,
    card: Annotated[bool, typer.Option("--card", help="Add the scores to the model card.")] = False,
) -> None:
    """Answer a file of questions and score the answers.

    Scores are exact match and F1, overall and by kind, type and source of the question, with 95 %
    intervals. No answer is right for a question that its passage does not answer.
    """
    from workings.checkpoint.model_folder import add_scores, find_model
    from workings.data.kinds import read_splits
    from workings.evaluation import evaluate as answer_and_score

    if predictions is not None:
        check_output(predictions, *files)
    folder, loaded = find_model(model), read_splits(files)
    with progress_bar() as progress:
        evaluation = answer_and_score(
            folder,
            loaded.passages,
            all_questions=all_questions,
            fast=fast,
            pages=explain,
            predictions=predictions,
            progress=progress,
        )
    if card:
        name = _dataset_name(files, all_questions=all_questions, fast=fast)
        add_scores(folder, name, evaluation.report, seconds=evaluation.seconds)
    print_report(evaluation.report, loaded, json=json)


def _dataset_name(files: list[Path], *, all_questions: bool, fast: bool) -> str:
    """Return the name of these questions on the model card."""
    names = [file.name.partition(".")[0] for file in files]
    notes = [", all questions"] * all_questions + [", fast"] * fast
    return " + ".join(names) + "".join(notes)
