"""Load a module without the runtime type checks that the tests add to the package."""

from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any


def without_type_checks(module: ModuleType) -> Any:
    """Load a fresh copy of a module, for calls with arguments of a wrong type.

    The hook that adds type checks finds modules by name; a module loaded from its file has none.
    """
    assert module.__file__ is not None
    spec = spec_from_file_location(f"unchecked_{module.__name__}", module.__file__)
    assert spec is not None and spec.loader is not None
    copy = module_from_spec(spec)
    spec.loader.exec_module(copy)
    return copy
