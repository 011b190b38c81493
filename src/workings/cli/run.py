"""``workings run``: a program of one's own on a passage."""

from pathlib import Path

import typer

from workings.cli.output import show
from workings.cli.read_passage import read_text


def run(
    program: str = typer.Argument(help="Such as 'sub(find-num(find), find-num(find))'."),
    question: str = typer.Option(
        ..., "--question", "-q", help="The question whose words the steps look at."
    ),
    passage: Path = typer.Option(
        ..., "--passage", "-p", help="A text, HTML or PDF file; - for stdin.", allow_dash=True
    ),
    model: Path | None = typer.Option(None, help="A model folder, if not the one that is shipped."),
    json: bool = typer.Option(False, "--json", help="Print the explanation as JSON."),
    html: Path | None = typer.Option(None, help="Also write it as a page to this file."),
) -> None:
    """Run a program you wrote, and show its steps."""
    from workings.program import Program
    from workings.reader import Reader

    parsed, text = Program.parse(program), read_text(passage)
    show(Reader.from_pretrained(model).run(parsed, question, text), json=json, html=html)
