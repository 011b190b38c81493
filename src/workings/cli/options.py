"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

ModelOption = Annotated[
    Path | None, typer.Option(help="Model folder.", show_default="the shipped model")
]
PassageOption = Annotated[
    Path,
    typer.Option(
        "--passage",
        "-p",
        help="Passage: a text, HTML or PDF file; - for text from standard input.",
        allow_dash=True,
    ),
]
TopOption = Annotated[int, typer.Option(min=1, help="Programs to show, including the best one.")]
ThresholdOption = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="Minimum confidence; below it, no answer is given.",
        show_default="the model's own",
    ),
]
FastOption = Annotated[bool, typer.Option("--fast", help="Faster answers in lower precision.")]
AllQuestionsOption = Annotated[
    bool, typer.Option("--all", help="Include questions outside the paper's seven kinds.")
]
ExplanationJsonOption = Annotated[
    bool, typer.Option("--json", help="Print the explanation as JSON.")
]
HtmlOption = Annotated[
    Path | None, typer.Option(help="Also write the explanation to this HTML file.")
]
StepsOption = Annotated[
    bool, typer.Option("--steps", help="Show the words and values that every step used.")
]
