"""Answers questions that need arithmetic over a paragraph, and shows its workings."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workings.errors import WorkingsError
    from workings.evaluation import evaluate
    from workings.explain import Explanation
    from workings.program import Program
    from workings.reader import Reader
    from workings.score import score_predictions
    from workings.values import Values, read_values

    __version__: str

# Imported on first use, so that `import workings` is fast and does not import torch.
_MODULES = {
    "Explanation": "workings.explain",
    "Program": "workings.program",
    "Reader": "workings.reader",
    "Values": "workings.values",
    "WorkingsError": "workings.errors",
    "evaluate": "workings.evaluation",
    "read_values": "workings.values",
    "score_predictions": "workings.score",
}

__all__ = [
    "Explanation",
    "Program",
    "Reader",
    "Values",
    "WorkingsError",
    "__version__",
    "evaluate",
    "read_values",
    "score_predictions",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("workings")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
