"""Rules about the source that neither ruff nor import-linter can check."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Ruff forbids eval, exec, pickle and the shell; these need a look at the arguments or at builtins.
FORBIDDEN_CALLS = {"compile", "__import__", "input"}
FORBIDDEN_ARGUMENTS = {("allow_pickle", True), ("trust_remote_code", True)}

IMPORT_ALL = """
import importlib, pkgutil, sys, workings

for package in sys.argv[1:]:
    module = importlib.import_module(package)
    for found in pkgutil.walk_packages(getattr(module, "__path__", []), f"{package}."):
        importlib.import_module(found.name)
sys.exit(", ".join({"torch", "transformers"} & set(sys.modules)) or 0)
"""


def test_light_packages_do_not_load_torch() -> None:
    """Commands import torch inside their functions, so `workings --help` starts without it.

    import-linter holds the other light packages to more: it counts imports in functions, too.
    """
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = configuration["tool"]["importlinter"]["contracts"]
    [light] = [contract for contract in contracts if contract["type"] == "forbidden"]
    packages = [*light["source_modules"], "workings.cli"]
    command = [sys.executable, "-c", IMPORT_ALL, *packages]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"loaded: {done.stderr}"


def forbidden(source: str) -> list[str]:
    """List the forbidden calls of a piece of source."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        ast.unparse(call)
        for call in calls
        if ast.unparse(call.func) in FORBIDDEN_CALLS
        or any(
            (argument.arg, getattr(argument.value, "value", None)) in FORBIDDEN_ARGUMENTS
            for argument in call.keywords
        )
    ]


def test_nothing_read_is_run() -> None:
    assert len(forbidden("compile('1', '', 'eval'); np.load(path, allow_pickle=True)")) == 2
    for path in (ROOT / "src").rglob("*.py"):
        assert forbidden(path.read_text("utf-8")) == [], path
