"""``workings synthetic``: generate passages with questions, gold programs and gold steps."""

from pathlib import Path
from typing import Annotated, Literal

import typer


def synthetic(
    out: Annotated[
        Path,
        typer.Option(help="Output file: .jsonl for one question a line, .json for DROP's layout."),
    ],
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    passages: Annotated[int, typer.Option(min=1, help="Number of passages.")] = 100,
    names: Annotated[
        Literal["seen", "unseen"],
        typer.Option(help="Names and numbers: those used in training, or those held out."),
    ] = "seen",
    questions: Annotated[
        int, typer.Option(min=1, help="Largest number of questions per passage.")
    ] = 8,
) -> None:
    """Generate passages with questions, gold programs and gold steps."""
    from rich.console import Console

    from workings.synthetic import make_synthetic, save_synthetic

    generated = make_synthetic(seed, passages, names=names, questions=questions)
    count = save_synthetic(out, generated)
    Console().print(f"{passages:,} passages with {count:,} questions: {out}", highlight=False)
