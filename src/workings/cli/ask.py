"""``workings ask``: answer one question about a passage."""

from typing import Annotated

import typer

from workings.cli.options import (
    ExplanationJsonOption,
    FastOption,
    HtmlOption,
    ModelOption,
    PassageOption,
    ThresholdOption,
    TopOption,
)
from workings.cli.output import print_explanation
from workings.cli.passage_file import read_passage


def ask(
    question: Annotated[str, typer.Argument(help="Question to answer.")],
    passage: PassageOption,
    model: ModelOption = None,
    json: ExplanationJsonOption = False,
    html: HtmlOption = None,
    top: TopOption = 3,
    threshold: ThresholdOption = 0.0,
    fast: FastOption = False,
) -> None:
    """Answer a question about a passage, and show the steps."""
    from workings.reader import Reader

    text = read_passage(passage)
    reader = Reader.from_pretrained(model, top_k=top, threshold=threshold, fast=fast)
    print_explanation(reader.ask(question, text), json=json, html=html)
