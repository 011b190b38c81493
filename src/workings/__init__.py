"""Answers questions that need arithmetic over a paragraph, and shows its workings."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workings.errors import WorkingsError
    from workings.explain import Explanation
    from workings.program import Program
    from workings.reader import Reader
    from workings.score import evaluate
    from workings.values import Values, read_values

# Loaded when first asked for, so that `import workings` stays quick and never loads torch.
_HOMES = {
    "Explanation": "workings.explain",
    "Program": "workings.program",
    "Reader": "workings.reader",
    "Values": "workings.values",
    "WorkingsError": "workings.errors",
    "evaluate": "workings.score",
    "read_values": "workings.values",
}

__all__ = [
    "Explanation",
    "Program",
    "Reader",
    "Values",
    "WorkingsError",
    "evaluate",
    "read_values",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
