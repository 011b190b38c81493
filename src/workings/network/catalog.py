"""The modules as plain data, for the command line, the page and the API."""

from typing import Any

from workings.modules import REGISTRY, Module


def list_modules() -> list[dict[str, Any]]:
    """Describe every module: its types, its sentence and an example question."""
    return [_describe(REGISTRY[name]) for name in sorted(REGISTRY)]


def _describe(module: type[Module]) -> dict[str, Any]:
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
