"""``workings modules``: list the modules that programs consist of."""

from typing import TYPE_CHECKING, Annotated

import typer

from workings.cli.output import print_json

if TYPE_CHECKING:
    from rich.text import Text

    from workings.modules import Module


def modules(
    json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the modules that programs consist of.

    Shows the input and output types of each module, a description and an example question.
    """
    from rich.console import Console

    from workings.modules import REGISTRY
    from workings.network.catalog import list_modules

    if json:
        print_json(list_modules())
    else:
        console = Console(highlight=False)
        for name in sorted(REGISTRY):
            console.print(_entry(REGISTRY[name]), end="\n\n", soft_wrap=True)


def _entry(module: "type[Module]") -> "Text":
    from rich.text import Text

    signatures = "\n".join(map(str, module.signatures()))
    sentence, example = f"\n  {module.sentence()}", f"\n  {module.example}"
    return Text.assemble((signatures, "bold"), sentence, (example, "italic dim"))
