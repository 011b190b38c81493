"""``workings modules``: what programs are made of."""

from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.text import Text

    from workings.modules import Module


def modules(json: bool = typer.Option(False, "--json", help="Print the list as JSON.")) -> None:
    """List the modules: what each takes and gives, in a sentence, with a question for it."""
    from rich.console import Console

    from workings.modules import REGISTRY

    known = [REGISTRY[name] for name in sorted(REGISTRY)]
    console = Console(highlight=False)
    if json:
        console.print_json(data=[_to_json(module) for module in known])
    else:
        for module in known:
            console.print(_entry(module), end="\n\n", soft_wrap=True)


def _entry(module: "type[Module]") -> "Text":
    from rich.text import Text

    forms = "\n".join(map(str, module.signatures()))
    sentence, example = f"\n  {module.sentence()}", f"\n  {module.example}"
    return Text.assemble((forms, "bold"), sentence, (example, "italic dim"))


def _to_json(module: "type[Module]") -> dict[str, Any]:
    return {
        "name": module.name,
        "signatures": [
            {"takes": [kind.word for kind in form.takes], "gives": form.gives.word}
            for form in module.signatures()
        ],
        "sentence": module.sentence(),
        "example": module.example,
        "needs": module.needs or None,
    }
