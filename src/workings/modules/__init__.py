"""The list of modules is this folder: a file in it is a module of the language."""

import importlib
import importlib.util
import pkgutil
import sys
from pathlib import Path

from workings.errors import InputError
from workings.modules.module import REGISTRY, Context, Module, Signature, all_signatures

__all__ = ["REGISTRY", "Context", "Module", "Signature", "all_signatures", "load_folder"]


def load_folder(folder: Path) -> None:
    """Make the modules of another folder part of the language."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder of modules.", hint="Name an existing folder.")
    for path in sorted(folder.glob("*.py")):
        before = dict(REGISTRY)
        try:
            _load_file(path)
            all_signatures(REGISTRY)
        except Exception as error:  # whatever another's file may raise
            REGISTRY.clear()
            REGISTRY.update(before)
            hint = "Write it like a file of workings/modules."
            raise InputError(f"{path} is not a module: {error}.", hint=hint) from error


def _load_file(path: Path) -> None:
    spec = importlib.util.spec_from_file_location(f"workings_modules_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)


for _found in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_found.name}")
