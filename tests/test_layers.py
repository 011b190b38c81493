"""Imports flow one way through the stages, and the early ones never load torch."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "workings"

# Each stage may import itself and those before it.
STAGES = """
    errors watching recipe_files settings program values texts data score world
    support packing encoder distinct results phrases nearness grounding membership modules
    listing grammar programmer interpreter network answer explain explaining peers card checkpoint
    reader answering cluster calibration training analysis reproduce serve cli __main__
""".split()
LIGHT = {*STAGES[: STAGES.index("support")], "explain", "cli"}

FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def stage_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imported(tree: ast.AST) -> Iterator[str]:
    """The dotted names a file imports, wherever in it the import stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write imports in full"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_every_file_belongs_to_a_stage() -> None:
    assert {stage_of(path) for path in FILES} <= set(STAGES), "name the new stage"


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_imports_come_from_earlier_stages(path: Path) -> None:
    earlier = STAGES[: STAGES.index(stage_of(path)) + 1]
    for name in imported(ast.parse(path.read_text("utf-8"))):
        first, _, rest = name.partition(".")
        if first == "workings":
            assert rest.partition(".")[0] in earlier, f"{module_of(path)} imports {name}"


def test_early_stages_do_not_load_torch() -> None:
    modules = [module_of(path) for path in FILES if stage_of(path) in LIGHT]
    heavy = "{'torch', 'transformers'} & set(sys.modules)"
    code = f"import sys, workings, {', '.join(modules)}; sys.exit({heavy} or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
