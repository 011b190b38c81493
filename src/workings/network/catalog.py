"""The modules as plain data, for machines and for the page."""

from typing import Any

from workings.modules import REGISTRY, Module


def list_modules() -> list[dict[str, Any]]:
    """Every module by name: what it takes and gives, its sentence, an example question."""
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
