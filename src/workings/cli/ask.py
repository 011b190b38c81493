"""``workings ask``: answer one question about a passage."""

from typing import Annotated

import typer

from workings.cli.options import (
    ExplanationJsonOption,
    FastOption,
    HtmlOption,
    ModelOption,
    PassageOption,
    StepsOption,
    ThresholdOption,
    TopOption,
)
from workings.cli.output import check_page, print_explanation
from workings.cli.passage_file import read_passage


def ask(  # noqa: PLR0913 (each parameter is an option of the command)
    question: Annotated[str, typer.Argument(help="Question to answer.")],
    passage: PassageOption,
    model: ModelOption = None,
    json: ExplanationJsonOption = False,
    html: HtmlOption = None,
    steps: StepsOption = False,
    top: TopOption = 3,
    threshold: ThresholdOption = None,
    fast: FastOption = False,
) -> None:
    """Answer a question about a passage, and show the steps."""
    from workings.reader import Reader

    check_page(html, passage)
    text = read_passage(passage)
    reader = Reader.from_pretrained(model, top_k=top, threshold=threshold, fast=fast)
    print_explanation(reader.ask(question, text), as_json=json, html=html, steps=steps)
