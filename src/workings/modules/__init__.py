"""The modules of the language: every file of this folder that defines one registers it."""

import importlib
import importlib.util
import pkgutil
import sys
from pathlib import Path

from workings.errors import InputError
from workings.modules._arithmetic import Arithmetic
from workings.modules.module import REGISTRY, Context, Module, Signature, all_signatures

__all__ = [
    "REGISTRY",
    "Arithmetic",
    "Context",
    "Module",
    "Signature",
    "all_signatures",
    "load_folder",
]


def load_folder(folder: Path) -> None:
    """Add the modules of another folder to the language.

    Args:
        folder: A folder with one Python file per module, written like the files of
            ``workings/modules``.

    Raises:
        InputError: If the folder does not exist, a file does not define a module, or a module has
            the name of another one. The language then stays as it was.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder of modules.", hint="Name an existing folder.")
    before = dict(REGISTRY)
    for path in sorted(folder.glob("*.py")):
        try:
            _load_file(path)
            all_signatures(REGISTRY)
        except Exception as error:  # a user's file may raise anything
            REGISTRY.clear()
            REGISTRY.update(before)
            hint = "Write it like a file of workings/modules."
            raise InputError(f"{path} is not a module: {error}.", hint=hint) from error


def _load_file(path: Path) -> None:
    before = dict(REGISTRY)
    spec = importlib.util.spec_from_file_location(f"workings_modules_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    defined = {name for name, kind in REGISTRY.items() if kind is not before.get(name)}
    if not defined:
        raise TypeError("it defines no class with a module name")
    for name in defined & before.keys():
        owner = before[name].__name__
        if REGISTRY[name].__name__ != owner:  # a class may be loaded again after a change
            raise TypeError(f"the name {name!r} belongs to the module {owner}")


for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_file.name}")
