"""``workings ask``: a question, a passage, an answer with its workings."""

from pathlib import Path

import typer

from workings.cli.output import show
from workings.cli.read_passage import read_text


def ask(
    question: str = typer.Argument(help="What to ask."),
    passage: Path = typer.Option(
        ..., "--passage", "-p", help="A text, HTML or PDF file; - for stdin.", allow_dash=True
    ),
    model: Path | None = typer.Option(None, help="A model folder, if not the one that is shipped."),
    json: bool = typer.Option(False, "--json", help="Print the explanation as JSON."),
    html: Path | None = typer.Option(None, help="Also write it as a page to this file."),
    top: int = typer.Option(3, min=1, help="Programs to tell of."),
    threshold: float = typer.Option(0.0, min=0, max=1, help="Answer only if this sure."),
    fast: bool = typer.Option(False, "--fast", help="Read with weights rounded to eight bits."),
) -> None:
    """Answer a question about a text, and show the program and its steps."""
    from workings.reader import Reader

    text = read_text(passage)
    reader = Reader.from_pretrained(model, top_k=top, threshold=threshold, fast=fast)
    show(reader.ask(question, text), json=json, html=html)
