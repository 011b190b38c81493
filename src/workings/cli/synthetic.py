"""``workings synthetic``: made passages with questions, gold programs and gold steps."""

from pathlib import Path
from typing import Literal

import typer


def synthetic(
    out: Path = typer.Option(help="Where to write: a .jsonl file, or .json for DROP's layout."),
    seed: int = typer.Option(0, help="The same seed makes the same world."),
    passages: int = typer.Option(100, min=1, help="How many passages to make."),
    names: Literal["seen", "unseen"] = typer.Option(
        "seen", help="Names and numbers to train on, or those held out."
    ),
    questions: int = typer.Option(8, min=1, help="At most so many questions for a passage."),
) -> None:
    """Make a world to learn in: passages, questions, and how each answer comes out."""
    from rich.console import Console

    from workings.synthetic import make_synthetic, save_synthetic

    made = make_synthetic(seed, passages, names=names, questions=questions)
    count = save_synthetic(out, made)
    Console().print(f"{passages:,} passages with {count:,} questions: {out}", highlight=False)
