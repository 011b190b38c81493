"""``workings modules``: what programs are made of."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.text import Text

    from workings.modules import Module


def modules(json: bool = typer.Option(False, "--json", help="Print the list as JSON.")) -> None:
    """List the modules: what each takes and gives, in a sentence, with a question for it."""
    from rich.console import Console

    from workings.modules import REGISTRY
    from workings.network.catalog import list_modules

    console = Console(highlight=False)
    if json:
        console.print_json(data=list_modules())
    else:
        for name in sorted(REGISTRY):
            console.print(_entry(REGISTRY[name]), end="\n\n", soft_wrap=True)


def _entry(module: "type[Module]") -> "Text":
    from rich.text import Text

    forms = "\n".join(map(str, module.signatures()))
    sentence, example = f"\n  {module.sentence()}", f"\n  {module.example}"
    return Text.assemble((forms, "bold"), sentence, (example, "italic dim"))
