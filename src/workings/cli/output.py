"""An explanation on its way out: to a terminal, to a machine, to a page."""

from pathlib import Path
from typing import TYPE_CHECKING

from workings.errors import InputError

if TYPE_CHECKING:
    from workings.explain import Explanation


def show(found: "Explanation", *, json: bool, html: Path | None) -> None:
    """Print it as people or machines read it, and write the page where one is asked for."""
    from rich.console import Console

    from workings.explain.terminal import to_renderable

    if html is not None:
        _write_page(found, html)
    console = Console(highlight=False)
    if json:
        console.print_json(data=found.to_json())
    else:
        console.print(to_renderable(found))


def _write_page(found: "Explanation", file: Path) -> None:
    from workings.explain.html import to_page

    try:
        file.write_text(to_page(found, title=found.question), encoding="utf-8")
    except OSError as error:
        hint = "Name a file in a folder you may write to."
        raise InputError(f"{file}: {error.strerror}", hint=hint) from error
