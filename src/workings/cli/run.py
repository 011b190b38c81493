"""``workings run``: run a given program on a passage."""

from typing import Annotated

import typer

from workings.cli.options import (
    ExplanationJsonOption,
    HtmlOption,
    ModelOption,
    PassageOption,
    StepsOption,
)
from workings.cli.output import check_page, print_explanation
from workings.cli.passage_file import read_passage


def run(
    program: Annotated[
        str, typer.Argument(help="Program, such as 'sub(find-num(find), find-num(find))'.")
    ],
    question: Annotated[
        str,
        typer.Option(
            "--question", "-q", help="Question; its words determine what each step looks for."
        ),
    ],
    passage: PassageOption,
    model: ModelOption = None,
    json: ExplanationJsonOption = False,
    html: HtmlOption = None,
    steps: StepsOption = False,
) -> None:
    """Run your own program on a passage, and show its steps."""
    from workings.program import Program
    from workings.reader import Reader

    check_page(html, passage)
    parsed, text = Program.parse(program), read_passage(passage)
    explanation = Reader.from_pretrained(model).run(parsed, question, text)
    print_explanation(explanation, as_json=json, html=html, steps=steps)
